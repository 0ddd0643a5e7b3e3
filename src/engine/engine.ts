/**
 * The engine: one root with its configuration, its index and its model, and the verbs on them.
 *
 * Opening it touches neither index nor model; each is opened by the first verb that needs
 * it. The verbs themselves are in `search-index.ts`, `read-document.ts`, `index-folder.ts`
 * and `status.ts`.
 */
import { loadConfig } from "../config/load.ts";
import { type Environment, resolveRoot } from "../config/paths.ts";
import type { DocumentRequest, SearchRequest } from "../config/request.ts";
import type { Config } from "../config/schema.ts";
import { parseVectorEngine } from "../config/variables.ts";
import type { Embedder } from "../core/embedder.ts";
import { AppError } from "../errors.ts";
import { hasVectorsToMake } from "../store/crashing-texts.ts";
import type { IndexDatabase } from "../store/open.ts";
import { isDamage } from "../store/sqlite-errors.ts";
import type { VectorEngineOptions } from "../store/vector-engine.ts";
import type { EngineOptions, EngineSearchOptions, LentParts } from "./engine-options.ts";
import { explainByDamage } from "./explain-damage.ts";
import { Connections } from "./graph/connections.ts";
import { IndexReader } from "./index-reader.ts";
import { crashMaker } from "./indexing/crash-maker.ts";
import { countOfChanges, findFolderChanges } from "./indexing/folder-changes.ts";
import type { IndexFolderOptions } from "./indexing/index-folder.ts";
import type { IndexRunReport } from "./indexing/index-report.ts";
import { countPrepareWorkers } from "./indexing/prepare-workers.ts";
import { type RefreshParts, refreshIndex } from "./indexing/refresh.ts";
import { walkOptionsOf } from "./indexing/stage-settings.ts";
import { LiveConfig } from "./live-config.ts";
import { cacheFolderOf, openOwnEmbedder } from "./questions/own-embedder.ts";
import { type DocumentAnswer, type ReadDocumentOptions, readIndexedDocument } from "./read-document.ts";
import { searchApart } from "./readers/apart-search.ts";
import { openReaderPool, type ReaderPool } from "./readers/reader-pool.ts";
import { answerWithoutIndex } from "./search/answer-without-index.ts";
import { describeEngine } from "./search/engine-description.ts";
import { findChangedDocument } from "./search/freshness.ts";
import type { IndexReport, SearchAnswer } from "./search/search-answer.ts";
import { searchIndex } from "./search/search-index.ts";
import { type StatusReport, statusOf } from "./status.ts";
import { Rebuilds } from "./upkeep/rebuilds.ts";
import { Upkeep } from "./upkeep/upkeep.ts";
import { locateOrExplain } from "./vector-options.ts";

/**
 * Finds root and configuration.
 *
 * @throws {AppError} `usage`, `missing` or `config`, as `resolveRoot`, `loadConfig` and `config/variables.ts`.
 */
export function openEngine(options: EngineOptions): Engine {
  const root = resolveRoot(options.root, options.environment);
  const { config, warnings } = loadConfig(options.configFile, root, options.environment);
  return new Engine(root, config, warnings, options);
}

export class Engine {
  readonly root: string;
  /** What the configuration may not say, a sentence each. */
  readonly warnings: readonly string[];
  /** Runs that a client asks for, and word of all that have ended. */
  readonly rebuilds: Rebuilds;
  /** Asks what is connected; every question throws `missing` if there is no index. */
  readonly connections: Connections;
  readonly #config: LiveConfig;
  readonly #options: EngineOptions;
  readonly #embedder: Embedder;
  readonly #reader: IndexReader;
  readonly #locateExtension: () => VectorEngineOptions;
  /** Where searches go to processes of their own. */
  readonly readers: ReaderPool | undefined;
  #upkeep: Upkeep | undefined;
  #isClosed = false;

  constructor(root: string, config: Config, warnings: readonly string[], options: EngineOptions) {
    this.root = root;
    this.warnings = warnings;
    this.#options = options;
    this.rebuilds = new Rebuilds(root, options.configFile, () => performance.now());
    this.connections = new Connections(
      () => this.#config.current,
      (question) => this.ask(question),
    );
    const { configFile, environment, isServer = false, asksMany = isServer } = options;
    const onChange = (changed: Config) => {
      this.#reader.close();
      this.#upkeep?.useConfig(changed);
    };
    this.#config = new LiveConfig({ configFile, root, environment, config, onChange });
    const wish = parseVectorEngine(environment.variables);
    this.#locateExtension = () => locateOrExplain(wish, cacheFolderOf(environment));
    this.#embedder =
      options.embedder ?? openOwnEmbedder(environment, { isServer, asksMany }, config.embedding.workers);
    if (options.readers !== undefined)
      this.readers = openReaderPool(root, configFile, config.http.readers, this.#embedder);
    this.#reader = new IndexReader({
      root,
      config: () => this.#config.current,
      environment,
      identity: this.#embedder.identity,
      locateExtension: this.#locateExtension,
      keepVectorsInMemory: asksMany,
    });
  }

  /** The settings in force. */
  get config(): Config {
    return this.#config.current;
  }

  get environment(): Environment {
    return this.#options.environment;
  }

  /**
   * @throws {AppError} Without an index there is no failure: the answer's `index.state` says `missing`.
   */
  async search(request: SearchRequest, options: EngineSearchOptions = {}): Promise<SearchAnswer> {
    if (this.#options.isServer) this.#config.check();
    try {
      if (this.readers !== undefined) {
        const { onStages } = this.#options.readers!;
        return await searchApart(this.readers, this.#upkeep, onStages, request, options);
      }
      using _held = this.#reader.hold();
      return await this.#search(request, options);
    } catch (thrown) {
      throw this.#explain(thrown);
    }
  }

  async #search(
    request: SearchRequest,
    { onChangedDocument, refresh = "never", times, signal }: EngineSearchOptions,
  ): Promise<SearchAnswer> {
    const untaken = await refreshIndex(refresh, this.#refreshParts());
    times?.mark("bringing the index up to date");
    const db = this.#reader.open();
    times?.mark("opening the index");
    if (db === undefined) {
      this.#upkeep?.noteSearch(true);
      const state = this.#upkeep?.isUnderWay ? "indexing" : "missing";
      return { ...answerWithoutIndex(state), engine: describeEngine(this.#embedder, this.config) };
    }
    const { counts, ...found } = await searchIndex(
      { db, embedder: this.#embedder, config: this.#config.current },
      request,
      { times, signal },
    );
    const changed = findChangedDocument(
      this.root,
      db,
      found.results.map(({ path }) => path),
    );
    const { problem } = this.#config;
    const signs = [untaken, changed, problem];
    const isBehind = signs.some((sign) => sign !== undefined) || (this.#upkeep?.hasFailed ?? false);
    const state = this.#stateWith(isBehind);
    if (state === "stale" && changed !== undefined) onChangedDocument?.(changed);
    this.#upkeep?.noteSearch(state === "stale");
    const index: IndexReport = {
      state,
      indexed_at: this.#reader.finishedAt(),
      vectors: counts.vectorCoverage,
      ...(counts.pending === 0 ? {} : { pending: counts.pending }),
      ...(untaken === undefined ? {} : { changed_files: countOfChanges(untaken) }),
      ...(problem === undefined ? {} : { reason: problem.replaceAll(`${this.root}/`, "") }),
    };
    times?.mark("freshness");
    return { ...found, index, engine: describeEngine(this.#embedder, this.config) };
  }

  /**
   * An indexed document, from its file.
   *
   * @throws {AppError} `missing` for anything that is not an indexed document, however it is spelt.
   */
  readDocument(request: DocumentRequest, options: ReadDocumentOptions = {}): DocumentAnswer {
    return this.ask((db) => readIndexedDocument(this.root, db, request, options));
  }

  /** Lets a verb of its own file (`topics.ts`, `best-practice.ts`) read the index. @throws {AppError} `missing` if there is none. */
  ask<Answer>(question: (db: IndexDatabase) => Answer): Answer {
    try {
      return question(this.#requireIndex());
    } catch (thrown) {
      throw this.#explain(thrown);
    }
  }

  /** @throws {AppError} `missing` if there is no index; `config` if the runtime asked for does not load. */
  status(): StatusReport {
    const [root, config, reader, embedder] = [this.root, this.config, this.#reader, this.#embedder];
    return this.ask((db) => statusOf({ root, config, db, reader, embedder }));
  }

  /** Lends index, model and settings to a verb of its own file. @throws {AppError} `missing` if there is no index. */
  async lend<Answer>(verb: (parts: LentParts) => Promise<Answer>): Promise<Answer> {
    try {
      const db = this.#requireIndex();
      return await verb({ root: this.root, db, embedder: this.#embedder, config: this.#config.current });
    } catch (thrown) {
      throw this.#explain(thrown);
    }
  }

  /** Makes the index equal to the folder. @throws {AppError} As `indexFolder`. */
  async index(options: IndexFolderOptions): Promise<IndexRunReport> {
    this.#reader.close();
    const parts = {
      root: this.root,
      config: this.#config.current,
      environment: this.#options.environment,
      embedder: this.#embedder,
      pool: { workers: this.#options.embedder === undefined ? countPrepareWorkers() : 0 },
      locateExtension: this.#locateExtension,
    };
    // Loaded here, because parsers of documents are a burden to a search that never uses them.
    const { indexFolder } = await import("./indexing/index-folder.ts");
    return indexFolder(parts, options);
  }

  /**
   * From now on the index is brought up to date in a child process: first after `delayMs`, then
   * when the folder changes, when a search finds the index stale or missing, or the last run began
   * long ago. What goes wrong goes to `report`; searches do not wait.
   */
  keepUpToDate(delayMs: number, report: (text: string) => void): void {
    if (this.#isClosed) return;
    this.#upkeep ??= new Upkeep({
      root: this.root,
      config: this.#config.current,
      configFile: this.#options.configFile,
      delayMs,
      report,
      reader: this.#reader,
      rebuilds: this.rebuilds,
      look: () => this.#config.check(),
    });
  }

  /** What a server's settings become while it runs, and what is wrong with them, goes to `report`. */
  followSettings(report: (text: string) => void): void {
    this.#config.report = report;
  }

  /** Whether a stale or missing index mends itself. */
  get keepsUpToDate(): boolean {
    return this.#upkeep !== undefined;
  }

  /** A damaged index is made anew where somebody keeps it up to date, which the failure then says. */
  #explain(thrown: unknown): unknown {
    const { file } = this.#reader;
    const explained = file === undefined ? thrown : explainByDamage(thrown, file);
    if (this.#upkeep === undefined || !isDamage(explained)) return explained;
    this.#upkeep.noteDamage();
    return new AppError("corrupt", explained.message, { hint: MENDING, cause: explained.cause });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#upkeep?.close(), this.rebuilds.close(), this.readers?.close()]);
    this.#reader.close();
    await this.#embedder.close();
  }

  #refreshParts(): RefreshParts {
    const open = () => this.#reader.open();
    return {
      findChanges: (budgetMs) => {
        const db = open();
        return db && findFolderChanges(this.root, db, walkOptionsOf(this.#config.current), budgetMs);
      },
      index: (options) => this.index(options),
      hasAllVectors: () => {
        const db = open();
        return db !== undefined && !hasVectorsToMake(db, crashMaker(this.#embedder));
      },
    };
  }

  /** While a run goes on, what has changed is about to be indexed. */
  #stateWith(isBehind: boolean): "ready" | "indexing" | "stale" {
    if (this.#upkeep?.isUnderWay) return "indexing";
    const state = this.#reader.state();
    return state === "ready" && isBehind ? "stale" : state;
  }

  #requireIndex(): IndexDatabase {
    const db = this.#reader.open();
    if (db === undefined) throw noIndexOf(this.root);
    return db;
  }
}

const MENDING = "It is checked and made anew now. Ask again in a moment.";

function noIndexOf(root: string): AppError {
  return new AppError("missing", `no index for ${root}`, { hint: `Make one with: kb index ${root}` });
}
