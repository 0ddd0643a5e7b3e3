/**
 * The second stage of indexing: a vector for every chunk that has none.
 *
 * It can stop at any point and goes on where it was, since pending chunks are rows of the
 * index. Files changed last come first; equal texts are embedded once.
 */
import { embeddingTextOf } from "../../core/document.ts";
import type { Embedder } from "../../core/embedder.ts";
import { getPendingChunks, listPendingIds, type PendingChunk, storeVectors } from "../../store/chunks.ts";
import { adoptIdentity } from "../../store/identity.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { recordVectorStart } from "../../store/run-record.ts";
import { countPending } from "../../store/status-counts.ts";
import type { IndexProgress } from "./index-report.ts";

export interface VectorStageOptions {
  readonly embedder: Embedder;
  readonly onProgress: (progress: IndexProgress) => void;
  readonly signal: AbortSignal;
}

/** Chunks embedded and stored in one go: a second or two of work. */
const PAGE_CHUNKS = 64;

/**
 * Embeds what is pending, the next page while the last one is being stored.
 *
 * @returns How many chunks got a vector.
 * @throws {AppError} `model` if the runtime fails; what was stored by then stays.
 */
export async function runVectorStage(
  db: IndexDatabase,
  { embedder, onProgress, signal }: VectorStageOptions,
): Promise<number> {
  const total = countPending(db);
  if (total === 0) return 0;
  adoptIdentity(db, embedder.identity);
  recordVectorStart(db, { at: new Date().toISOString(), pending: total });
  const embed = (page: readonly PendingChunk[]) => {
    const vectors = embedder.embedPassages(page.map(embeddingTextOf));
    vectors.catch(() => {}); // awaited below; a page given up on must not count as unhandled
    return vectors;
  };

  let done = 0;
  onProgress({ stage: "vectors", done, total });
  const ids = listPendingIds(db);
  let page = getPendingChunks(db, ids.slice(0, PAGE_CHUNKS));
  let embedding = embed(page);
  for (let start = PAGE_CHUNKS; page.length > 0; start += PAGE_CHUNKS) {
    const next = getPendingChunks(db, ids.slice(start, start + PAGE_CHUNKS));
    const nextEmbedding = embed(next);
    const vectors = await embedding;
    done += storeVectors(
      db,
      page.map(({ chunkId }, offset) => ({ chunkId, vector: vectors[offset]! })),
    );
    onProgress({ stage: "vectors", done, total });
    if (signal.aborted) break;
    page = next;
    embedding = nextEmbedding;
  }
  return done;
}
