/**
 * The second stage of indexing: a vector for every chunk that has none.
 *
 * It can stop at any point and goes on where it was, since pending chunks are rows of the
 * index. Files changed last come first; equal texts are embedded once. Texts that the model may have
 * ended an earlier run at come last, one at a time; those it did twice are left out.
 */
import { type ChunkId, embeddingTextOf } from "../../core/document.ts";
import type { Embedder } from "../../core/embedder.ts";
import { getPendingChunks, listPendingIds, type PendingChunk, storeVectors } from "../../store/chunks.ts";
import {
  listCrashingTexts,
  listInputHashes,
  listPendingOfTexts,
  recordCrashingTexts,
} from "../../store/crashing-texts.ts";
import { adoptIdentity } from "../../store/identity.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { recordVectorStart } from "../../store/run-record.ts";
import { countPending } from "../../store/status-counts.ts";
import type { WorkJournal, WorkLeft } from "../../store/work-journal.ts";
import { crashMaker } from "./crash-maker.ts";
import type { IndexProgress } from "./index-report.ts";

export interface VectorStageOptions {
  readonly embedder: Embedder;
  readonly onProgress: (progress: IndexProgress) => void;
  readonly signal: AbortSignal;
  /** Told what is in hand. */
  readonly journal: Pick<WorkJournal, "note">;
  /** What the last run had in hand, if it did not end in order. */
  readonly left: WorkLeft | undefined;
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
  { embedder, onProgress, signal, journal, left }: VectorStageOptions,
): Promise<number> {
  const total = countPending(db);
  if (total === 0) return 0;
  const pages = planPages(db, embedder, left);
  if (pages.length === 0) return 0;
  adoptIdentity(db, embedder.identity);
  recordVectorStart(db, { at: new Date().toISOString(), pending: total });

  const begin = ({ ids, isAlone }: Page, before?: Begun): Begun => {
    const names = listInputHashes(db, ids).map((hash) => JSON.stringify(hash));
    journal.note("texts", [...(before?.names ?? []), ...names], isAlone);
    const chunks = getPendingChunks(db, ids);
    const vectors = embedder.embedPassages(chunks.map(embeddingTextOf));
    vectors.catch(() => {}); // awaited below; a page given up on must not count as unhandled
    return { names, chunks, vectors };
  };

  let done = 0;
  onProgress({ stage: "vectors", done, total });
  let current = begin(pages[0]!);
  for (const following of [...pages.slice(1), undefined]) {
    const next = following === undefined || following.isAlone ? undefined : begin(following, current);
    const { chunks } = current;
    const vectors = await current.vectors;
    done += storeVectors(
      db,
      chunks.map(({ chunkId }, offset) => ({ chunkId, vector: vectors[offset]! })),
    );
    onProgress({ stage: "vectors", done, total });
    if (signal.aborted || following === undefined) break;
    current = next ?? begin(following);
  }
  return done;
}

/** Chunks embedded together. */
interface Page {
  readonly ids: readonly ChunkId[];
  /** Whether nothing else may be in hand meanwhile. */
  readonly isAlone: boolean;
}

/** A page that is being embedded. */
interface Begun {
  /** For the journal. */
  readonly names: readonly string[];
  readonly chunks: readonly PendingChunk[];
  readonly vectors: Promise<Float32Array[]>;
}

function planPages(db: IndexDatabase, embedder: Embedder, left: WorkLeft | undefined): Page[] {
  const maker = crashMaker(embedder);
  if (left?.isAlone && left.texts.length > 0) recordCrashingTexts(db, left.texts, maker);
  const crashing = new Set(listPendingOfTexts(db, listCrashingTexts(db, maker)));
  const suspects = new Set(listPendingOfTexts(db, left?.texts ?? []));
  const ids = listPendingIds(db).filter((id) => !crashing.has(id));
  const usual = ids.filter((id) => !suspects.has(id));
  const pages: Page[] = [];
  for (let start = 0; start < usual.length; start += PAGE_CHUNKS)
    pages.push({ ids: usual.slice(start, start + PAGE_CHUNKS), isAlone: false });
  const alone = ids.filter((id) => suspects.has(id)).map((id) => ({ ids: [id], isAlone: true }));
  return [...pages, ...alone];
}
