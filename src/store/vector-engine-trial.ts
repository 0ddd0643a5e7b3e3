/**
 * A whole search by meaning on a tiny index in memory, to see that vectors can be compared here.
 *
 * In goes what an index would be opened with; out comes which engine it was and whether its
 * answer was right. That a broken extension is passed over is seen to in `vector-engine.ts`.
 */
import { listPendingIds, storeVectors } from "./chunks.ts";
import { searchDense } from "./dense-leg.ts";
import { replaceDocument } from "./documents.ts";
import { prepareIndexedText } from "./indexed-text.ts";
import { openIndex } from "./open.ts";
import type { VectorEngine, VectorEngineOptions } from "./vector-engine.ts";

export interface VectorEngineTrial {
  readonly engine: VectorEngine;
  /** Whether the nearest of three vectors came first, with the cosine it has. */
  readonly isRight: boolean;
}

/** @throws {AppError} `config` as `openIndex`, if the engine asked for does not work. */
export function tryVectorEngine(options: VectorEngineOptions): VectorEngineTrial {
  using db = openIndex(":memory:", { mode: "write", ...options });
  for (const [path] of TRIAL) {
    const chunk = { ...CHUNK, content: path };
    replaceDocument(db, { ...RECORD, path, rawPath: path }, prepareIndexedText(path, [chunk]));
  }
  const pending = listPendingIds(db);
  storeVectors(
    db,
    pending.map((chunkId, offset) => ({ chunkId, vector: unitVector(TRIAL[offset]![1]) })),
  );
  const found = searchDense(db, unitVector(TRIAL[0][1]), { poolSize: TRIAL.length });
  const isRight =
    found.map(({ path }) => path).join() === TRIAL.map(([path]) => path).join() &&
    found.every(({ raw }, offset) => Math.abs(raw - Math.cos(TRIAL[offset]![1])) < MAX_ROUNDING);
  return { engine: db.vectorEngine, isRight };
}

/** As many as the built-in model's vectors have. */
const DIMS = 384;

/** Angles of vectors in one plane, in radians, the question's first; so cosines are known. */
const TRIAL = [
  ["same", 0],
  ["near", 0.5],
  ["far", 1.2],
] as const;

/** Vectors are kept in 8 bits a number. */
const MAX_ROUNDING = 0.02;

function unitVector(angle: number): Float32Array {
  const half = Math.sqrt(2 / DIMS);
  return Float32Array.from(
    { length: DIMS },
    (_, at) => half * (at % 2 === 0 ? Math.cos(angle) : Math.sin(angle)),
  );
}

const CHUNK = {
  index: 0,
  heading: null,
  level: null,
  headingPath: [],
  context: "",
  lines: { start: 1, end: 1 },
  tokenCount: 1,
  quality: 1,
};

const RECORD = {
  meta: { title: "", category: null, topic: null, date: null, tags: [] },
  contentHash: "00",
  size: 0,
  mtimeNs: 0n,
  ctimeNs: 0n,
  inode: 0n,
  encoding: "utf-8",
  warnings: [],
  parserVersion: "",
  chunkerVersion: "",
  indexedAt: "2026-01-01T00:00:00.000Z",
};
