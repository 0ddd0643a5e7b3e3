/**
 * The doctor: can this machine, this configuration and this index work, and if not, what to do.
 *
 * In go the folder and the environment; out comes what was looked at and what is wrong. The
 * checks are in `check-machine.ts`, `check-model.ts`, `check-places.ts`, `check-index.ts` and `check-content.ts`;
 * none of them changes the index, and one that fails does not keep the others from running.
 *
 * snake_case, because `kb doctor --json` prints the report as it is.
 */
import { statSync } from "node:fs";
import { loadConfig, parseConfig } from "../../config/load.ts";
import { type Environment, type RootRequest, resolveRoot } from "../../config/paths.ts";
import type { Config } from "../../config/schema.ts";
import { parseRuntime, parseVectorEngine } from "../../config/variables.ts";
import { shellWord } from "../../core/shell-word.ts";
import { BUILTIN_IDENTITY } from "../../embed/builtin-model.ts";
import { AppError } from "../../errors.ts";
import { describePlatform } from "../../native/platform.ts";
import { findRun } from "../../store/run-record.ts";
import type { StatusCounts } from "../../store/status-counts.ts";
import { COMMIT, VERSION } from "../../version.ts";
import { chooseIndexPlace, findIndexPlace, type IndexPlace } from "../index-place.ts";
import { ownCommand } from "../own-command.ts";
import { cacheFolderOf } from "../questions/own-embedder.ts";
import { locateOrExplain } from "../vector-options.ts";
import { checkContent } from "./check-content.ts";
import { checkConsistency, checkIndexFile, checkWriter, commandOf } from "./check-index.ts";
import { checkClock, checkFolders, checkVectorEngine } from "./check-machine.ts";
import { checkModel } from "./check-model.ts";
import { checkModelApart } from "./check-model-apart.ts";
import { checkFutureIndexPlace, checkIndexPlace, tellFolder } from "./check-places.ts";
import { Examination, type Fact, type Finding } from "./examination.ts";

export interface DiagnoseOptions {
  /** The folder named on the command line, if one is. */
  readonly named: string | undefined;
  /** Given by `--config`; trusted. */
  readonly configFile: string | undefined;
  readonly environment: Environment;
  /** Examines the model alone, in this process. */
  readonly modelOnly: boolean;
}

export interface DoctorReport {
  readonly version: string;
  readonly commit: string;
  /** In words, such as `Linux on x64`. */
  readonly platform: string;
  /** Null if no folder is named and none is found: then only the machine is examined. */
  readonly root: string | null;
  /** Null without an index that can be opened. */
  readonly index_file: string | null;
  readonly documents: number | null;
  readonly chunks: number | null;
  /** What was looked at and is as told. */
  readonly facts: readonly Fact[];
  /** Errors, warnings, information. */
  readonly findings: readonly Finding[];
}

/** @throws {AppError} `missing` or `io` if the folder that is named is not there. */
export async function diagnose(options: DiagnoseOptions): Promise<DoctorReport> {
  const { named, configFile, environment } = options;
  if (options.modelOnly) return diagnoseModel(environment);
  const root = findRoot({ named, mayUseCwd: true }, environment);
  const examination = new Examination();
  const config = await checkConfiguration(examination, configFile, root, environment);
  const wishes = await checkVariables(examination, environment);
  const cacheFolder = cacheFolderOf(environment);
  await examination.attempt("cache-folder", () => checkFolders(examination, cacheFolder));
  await examination.attempt("model", () =>
    checkModelApart(examination, {
      command: [...ownCommand(), "doctor", "--model-only", "--json"],
      // What is wrong with the variables is told already.
      variables: {
        ...environment.variables,
        KB_RUNTIME: wishes.runtime,
        KB_VECTOR_ENGINE: wishes.vectorEngine,
      },
      wanted: wishes.runtime,
    }),
  );
  await examination.attempt("vector-engine", () =>
    checkVectorEngine(examination, cacheFolder, wishes.vectorEngine),
  );
  const index =
    root === undefined
      ? undefined
      : await examination.attempt("index-folder", () =>
          checkIndex(examination, { root, config, environment, cacheFolder, wishes }),
        );
  if (root === undefined)
    examination.warn(
      "no-folder",
      "no folder of documents is named, and none is found from here",
      "kb doctor --kb <folder>",
    );
  checkClock(examination, Date.now(), index?.lastRun);
  return reportOf(examination, root, index);
}

async function diagnoseModel(environment: Environment): Promise<DoctorReport> {
  const examination = new Examination();
  const { runtime } = await checkVariables(examination, environment);
  await examination.attempt("model", () => checkModel(examination, cacheFolderOf(environment), runtime));
  return reportOf(examination, undefined, undefined);
}

function reportOf(
  { facts, findings }: Examination,
  root: string | undefined,
  index: ExaminedIndex | undefined,
): DoctorReport {
  return {
    version: VERSION,
    commit: COMMIT,
    platform: describePlatform(),
    root: root ?? null,
    index_file: index?.file ?? null,
    documents: index?.counts?.documents ?? null,
    chunks: index?.counts?.chunks ?? null,
    facts,
    findings,
  };
}

interface Wishes {
  readonly runtime: ReturnType<typeof parseRuntime>;
  readonly vectorEngine: ReturnType<typeof parseVectorEngine>;
}

/** Undefined where the working directory is one that is never indexed by itself. */
function findRoot(request: RootRequest, environment: Environment): string | undefined {
  try {
    return resolveRoot(request, environment);
  } catch (thrown) {
    const isUnnamed = request.named === undefined && thrown instanceof AppError && thrown.code === "usage";
    if (isUnnamed) return undefined;
    throw thrown;
  }
}

/** The configuration; where the file is wrong, the defaults, so that the rest can be looked at. */
async function checkConfiguration(
  examination: Examination,
  configFile: string | undefined,
  root: string | undefined,
  environment: Environment,
): Promise<Config> {
  const loaded = await examination.attempt("configuration", () => loadConfig(configFile, root, environment));
  if (loaded === undefined) return parseConfig({}, "");
  examination.tell("configuration", loaded.file ?? "defaults");
  for (const warning of loaded.warnings)
    examination.warn(
      "configuration-ignored",
      warning,
      "If it is yours, do as the sentence says; else remove it.",
    );
  return loaded.config;
}

async function checkVariables(examination: Examination, { variables }: Environment): Promise<Wishes> {
  return {
    runtime: await examination.attempt("variable", () => parseRuntime(variables)),
    vectorEngine: await examination.attempt("variable", () => parseVectorEngine(variables)),
  };
}

interface IndexExamination {
  readonly root: string;
  readonly config: Config;
  readonly environment: Environment;
  readonly cacheFolder: string;
  readonly wishes: Wishes;
}

interface ExaminedIndex {
  readonly file: string;
  readonly counts: StatusCounts | undefined;
  readonly lastRun: string | undefined;
}

async function checkIndex(
  examination: Examination,
  { root, config, environment, cacheFolder, wishes }: IndexExamination,
): Promise<ExaminedIndex | undefined> {
  tellFolder(examination, root);
  let place: IndexPlace | undefined;
  try {
    place = findIndexPlace(root, config, environment);
  } catch (thrown) {
    examination.findFailure("index-folder", thrown, commandOf(thrown, root));
    return undefined;
  }
  if (place === undefined) {
    const future = chooseIndexPlace(root, config, environment);
    checkIndexPlace(examination, root, future.directory, 0);
    checkFutureIndexPlace(examination, future.directory);
    examination.warn("no-index", `there is no index of ${root} yet`, `kb index ${shellWord(root)}`);
    return undefined;
  }
  const { directory } = place;
  const writer = await examination.attempt("writer-lock", () => checkWriter(examination, directory));
  const vectorOptions = locateOrExplain(wishes.vectorEngine === "js" ? "js" : undefined, cacheFolder);
  using db = checkIndexFile(examination, { root, place, identity: BUILTIN_IDENTITY, vectorOptions });
  checkIndexPlace(examination, root, place.directory, db === undefined ? 0 : statSync(db.file).size);
  if (db === undefined) return undefined;
  await examination.attempt("inconsistent-index", () => checkConsistency(examination, db, root));
  const embedder = { identity: BUILTIN_IDENTITY };
  const remedyOf = (thrown: unknown) => commandOf(thrown, root);
  const counts = await examination.attempt(
    "index-content",
    () => checkContent(examination, { root, db, config, embedder, isBeingWritten: writer !== undefined }),
    remedyOf,
  );
  const run = await examination.attempt("index-content", () => findRun(db), remedyOf);
  return { file: db.file, counts, lastRun: run?.finishedAt };
}
