/**
 * Which of the two ways to compute distances a connection has.
 *
 * In go the path of the vector extension (sqlite-vec), or why there is none; out comes the
 * engine's name and, for the slower road, the reason. Both give the same answers to the bit, so
 * an extension is only taken after it has proved that it computes what it should. Where it does
 * not load, and where SQLite loads none, distances are computed by `vector-scan.ts`.
 */
import type { Database } from "bun:sqlite";
import { AppError, messageOf } from "../errors.ts";

/** `sqlite-vec`: inside SQL, by the extension. `js`: by a scan of our own, in WebAssembly where there is some. */
export type VectorEngineName = "sqlite-vec" | "js";

export interface VectorEngine {
  readonly name: VectorEngineName;
  /** Why it is not sqlite-vec, in words for the user; undefined if it is. */
  readonly reason: string | undefined;
}

export interface VectorEngineOptions {
  /** Real path of the vector extension; without it distances are computed without one. */
  readonly vectorExtensionPath?: string | undefined;
  /** Why there is no path, in words for the user. */
  readonly vectorExtensionProblem?: string | undefined;
  /** Whether an index without a working extension must not be opened. */
  readonly isVectorExtensionRequired?: boolean | undefined;
}

/**
 * Loads the extension if there is one that works.
 *
 * @throws {AppError} `config` if it is required and does not work, with the reason.
 */
export function loadVectorEngine(
  database: Database,
  { vectorExtensionPath, vectorExtensionProblem, isVectorExtensionRequired }: VectorEngineOptions,
): VectorEngine {
  const reason =
    vectorExtensionPath === undefined
      ? (vectorExtensionProblem ?? "no vector extension is available on this machine")
      : findProblem(database, vectorExtensionPath);
  if (reason === undefined) return { name: "sqlite-vec", reason };
  if (isVectorExtensionRequired !== true) return { name: "js", reason };
  throw new AppError("config", `the vector engine sqlite-vec was asked for and cannot be used: ${reason}`, {
    hint: "Unset KB_VECTOR_ENGINE or set it to js: the answers are the same.",
  });
}

function findProblem(database: Database, path: string): string | undefined {
  try {
    database.loadExtension(path);
    const answer = database.query(SELECT_PROBE).get(PROBE, PROBE.map(opposite)) as ProbeRow;
    if (answer.distance === PROBE_DISTANCE) return undefined;
    return `the vector extension ${path} (${answer.version}) computes wrong distances on this machine`;
  } catch (error) {
    return `the vector extension ${path} does not load (${messageOf(error)})`;
  }
}

const SELECT_PROBE = `
SELECT vec_version() AS version, vec_distance_L2(vec_int8(?1), vec_int8(?2)) AS distance`;

interface ProbeRow {
  readonly version: string;
  readonly distance: number;
}

/*
 * The largest difference there is, in enough dimensions for every kind of vector instruction and
 * some left over: sqlite-vec's own code for ARM squares differences in 16 bits, which overflow.
 */
const PROBE = new Uint8Array(67).fill(127);
const PROBE_DISTANCE = Math.fround(Math.sqrt(PROBE.length * (2 * 127) ** 2));

function opposite(byte: number): number {
  return 256 - byte;
}
