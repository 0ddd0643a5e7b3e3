/**
 * Checks of the machine: folders `kb` writes to, the comparison of vectors, the clock.
 *
 * Everything is really done once: files are unpacked, an extension is loaded, three vectors compared. No
 * index is needed for it. The model is tried in `check-model.ts`, the disks are looked at in `check-places.ts`.
 */
import { lstatSync } from "node:fs";
import { tmpdir } from "node:os";
import { AppError } from "../../errors.ts";
import { IS_COMPILED } from "../../native/compiled.ts";
import { CACHE_HINT } from "../../native/extract.ts";
import { describeFileSystem } from "../../native/file-system.ts";
import { locateOnnxBinding } from "../../native/onnx-binding.ts";
import { findOnnxAssets, findVectorExtension } from "../../native/platform.ts";
import { findWriteProblem } from "../../native/write-trial.ts";
import type { VectorEngineName } from "../../store/vector-engine.ts";
import { tryVectorEngine } from "../../store/vector-engine-trial.ts";
import { splitRemedy } from "../problem-text.ts";
import { locateOrExplain } from "../vector-options.ts";
import type { Examination } from "./examination.ts";

/** Looks whether what is unpacked goes where it should, and whether there is a temporary folder. */
export function checkFolders(examination: Examination, cacheFolder: string): void {
  const cacheProblem = IS_COMPILED ? findCacheProblem(cacheFolder) : undefined;
  const { kind, isNoexec } = describeFileSystem(cacheFolder);
  const traits = [kind, isNoexec ? "runs no programs" : undefined].filter((trait) => trait !== undefined);
  examination.tell("cache", traits.length === 0 ? cacheFolder : `${cacheFolder} (${traits.join(", ")})`);
  if (cacheProblem !== undefined)
    examination.warn(
      "cache-folder",
      `the cache folder ${cacheFolder} cannot be used (${cacheProblem}); a private folder under ${tmpdir()} takes its place where it can`,
      CACHE_HINT,
    );

  const temporaryProblem = findWriteProblem(tmpdir());
  examination.tell("temporary", tmpdir());
  if (temporaryProblem !== undefined)
    examination.warn(
      "temporary-folder",
      `the temporary folder ${tmpdir()} cannot be written (${temporaryProblem})`,
      "Set TMPDIR to a folder you can write to.",
    );
}

/** Asks for the nearest of three vectors. */
export function checkVectorEngine(
  examination: Examination,
  cacheFolder: string,
  wanted: VectorEngineName | undefined,
): void {
  const { engine, isRight } = tryVectorEngine(locateOrExplain(wanted, cacheFolder));
  examination.tell(
    "vector engine",
    engine.reason === undefined ? engine.name : `${engine.name} (${engine.reason})`,
  );
  if (!isRight)
    examination.find({
      id: "vector-engine",
      severity: "error",
      sentence: `the vector engine ${engine.name} does not find the nearest vectors on this machine`,
      remedy: `Set KB_VECTOR_ENGINE=${engine.name === "js" ? "sqlite-vec" : "js"}, and please report this.`,
    });
  if (engine.name === "js" && wanted === undefined && couldLoadExtension()) {
    const [sentence, remedy] = splitRemedy(engine.reason ?? "", CACHE_HINT);
    examination.warn("vector-engine", `vectors are compared without sqlite-vec: ${sentence}`, remedy);
  }
}

/** A clock far in the past lets new files look old. @param lastRun ISO 8601, UTC. */
export function checkClock(examination: Examination, nowMs: number, lastRun: string | undefined): void {
  const now = new Date(nowMs).toISOString();
  examination.tell("clock", now);
  const earliest = Math.max(OLDEST_CLOCK_MS, lastRun === undefined ? 0 : Date.parse(lastRun));
  if (nowMs + CLOCK_TOLERANCE_MS >= earliest) return;
  examination.warn(
    "clock",
    `the clock of this machine says ${now}, which is before ${new Date(earliest).toISOString()}, the time of an earlier event; changed files may look unchanged`,
    "Set the clock (Linux: timedatectl set-ntp true), then read every file again: kb index --verify",
  );
}

/** Nobody had this program before. */
const OLDEST_CLOCK_MS = Date.UTC(2026, 0, 1);
const CLOCK_TOLERANCE_MS = 120_000;

/** Apple's SQLite, which is used on macOS, loads no extensions: nothing can be done there. */
function couldLoadExtension(): boolean {
  return process.platform !== "darwin" && findVectorExtension() !== undefined;
}

/** Unpacks the libraries, which is what the folder is for, and looks where they went. */
function findCacheProblem(cacheFolder: string): string | undefined {
  if (findOnnxAssets() === undefined) return findWriteProblem(cacheFolder);
  try {
    if (locateOnnxBinding(cacheFolder).startsWith(cacheFolder)) return undefined;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
  }
  return (
    findWriteProblem(cacheFolder) ??
    findForeignOwner(cacheFolder) ??
    "it is full, or has something else in it"
  );
}

function findForeignOwner(folder: string): string | undefined {
  const { uid, mode } = lstatSync(folder);
  const isForeign = uid !== process.getuid?.() && uid !== 0;
  return isForeign || (mode & 0o022) !== 0
    ? "it belongs to another user or can be changed by one"
    : undefined;
}
