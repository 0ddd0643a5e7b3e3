/**
 * The reading side of an index: opened at first use, opened again when a new generation is there
 * or the file was made anew.
 *
 * It also tells how fresh the index is, from what the last run left. Writing is the
 * business of `index-folder.ts`.
 */
import type { Environment } from "../config/paths.ts";
import type { Config } from "../config/schema.ts";
import type { EmbedderIdentity } from "../core/embedder.ts";
import { AppError } from "../errors.ts";
import { adoptRoot, verifyIdentity } from "../store/identity.ts";
import { findFileIdentity, findIndexFile } from "../store/index-location.ts";
import { type IndexDatabase, openIndex } from "../store/open.ts";
import { findRun } from "../store/run-record.ts";
import type { VectorEngineOptions } from "../store/vector-engine.ts";
import { forgetWorkLeft } from "../store/work-journal.ts";
import { findWriter, type WriterHolder } from "../store/writer-lock.ts";
import { findIndexPlace, type IndexPlace } from "./index-place.ts";

export interface IndexReaderOptions {
  readonly root: string;
  /** Asked when it is not known where the index lies. */
  readonly config: () => Config;
  readonly environment: Environment;
  /** Of the model that queries are embedded with. */
  readonly identity: EmbedderIdentity;
  readonly locateExtension: () => VectorEngineOptions;
  /** Whether many searches will come, so that reading all vectors once pays. */
  readonly keepVectorsInMemory: boolean;
}

export class IndexReader {
  readonly #options: IndexReaderOptions;
  #place: IndexPlace | undefined;
  /** Of the open file: its name, and which of that name it is. */
  #file: string | undefined;
  #fileIdentity: string | undefined;
  #db: IndexDatabase | undefined;
  #holders = 0;
  /** No longer in use, but maybe by those who began before. */
  readonly #retired: IndexDatabase[] = [];

  /** Of the open index, if one is. */
  get file(): string | undefined {
    return this.#file;
  }

  constructor(options: IndexReaderOptions) {
    this.#options = options;
  }

  /**
   * The index in use now; undefined while there is none.
   *
   * @throws {AppError} `incompatible`, `corrupt` or `io`.
   */
  open(): IndexDatabase | undefined {
    const { root, config, environment, identity } = this.#options;
    this.#place ??= findIndexPlace(root, config(), environment);
    const file = this.#place === undefined ? undefined : findIndexFile(this.#place.directory);
    // One that was removed can still be read, although nobody writes to it any more.
    const fileIdentity = file === undefined ? undefined : findFileIdentity(file);
    if (fileIdentity !== undefined && file === this.#file && fileIdentity === this.#fileIdentity) {
      if (this.#db !== undefined) this.#verifyModel(this.#db, identity);
      return this.#db;
    }
    this.#closeFile();
    if (file === undefined || this.#place === undefined) {
      this.#place = undefined;
      return undefined;
    }
    const db = this.#openFile(file);
    if (db === undefined) return undefined;
    try {
      verifyIdentity(db, identity);
      if (!this.#place.isInRoot) adoptRoot(db, root);
    } catch (thrown) {
      db.close();
      throw thrown;
    }
    this.#db = db;
    this.#file = file;
    this.#fileIdentity = fileIdentity;
    return db;
  }

  /** Until it is disposed of, whatever `open` has given stays open, also when another index takes its place. */
  hold(): Disposable {
    this.#holders++;
    return {
      [Symbol.dispose]: () => {
        this.#holders--;
        if (this.#holders === 0) for (const db of this.#retired.splice(0)) db.close();
      },
    };
  }

  /** A run with another model replaces the vectors of an index that is open here. */
  #verifyModel(db: IndexDatabase, identity: EmbedderIdentity): void {
    try {
      verifyIdentity(db, identity);
    } catch (thrown) {
      this.#closeFile(); // with the vectors it keeps in memory
      throw thrown;
    }
  }

  /** Undefined while the first run has named the file and not made it yet. */
  #openFile(file: string): IndexDatabase | undefined {
    const { locateExtension, keepVectorsInMemory } = this.#options;
    try {
      return openIndex(file, { mode: "read", ...locateExtension(), keepVectorsInMemory });
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === "missing") return undefined;
      throw thrown;
    }
  }

  /** `indexing` while a writer is at work, `stale` if the last run did not finish. */
  state(): "ready" | "indexing" | "stale" {
    if (this.writer() !== undefined) return "indexing";
    return this.#db !== undefined && findRun(this.#db)?.isFinished ? "ready" : "stale";
  }

  /** The process that is writing the index now, if any; unknown as well while it is not known where the index lies. */
  writer(): WriterHolder | undefined {
    return this.#place === undefined ? undefined : findWriter(this.#place.directory);
  }

  /** Forgets what a run had in hand that was killed on purpose. */
  forgetWork(pid: number): void {
    if (this.#place !== undefined) forgetWorkLeft(this.#place.directory, pid);
  }

  /** End of the last finished run, ISO 8601 UTC. */
  finishedAt(): string | null {
    return (this.#db === undefined ? undefined : findRun(this.#db)?.finishedAt) ?? null;
  }

  close(): void {
    this.#closeFile();
    this.#place = undefined;
  }

  #closeFile(): void {
    if (this.#db !== undefined && this.#holders > 0) this.#retired.push(this.#db);
    else this.#db?.close();
    this.#db = undefined;
    this.#file = undefined;
    this.#fileIdentity = undefined;
  }
}
