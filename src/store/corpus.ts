/**
 * The index as one corpus: a digest of all it holds, and all its texts, one document after the other.
 *
 * For measuring, which has to say what it measured. Finding passages is done in the legs,
 * counting in `status-counts.ts`.
 */
import { createHash } from "node:crypto";
import type { ChunkId } from "../core/document.ts";
import type { IndexDatabase } from "./open.ts";
import { type BlockBody, type ChunkText, readBlock } from "./text-blocks.ts";

/**
 * SHA-256, hex, over path, chunk index and the hash of the embedded text of every chunk, by path and
 * index: the same for equal content, whatever the indexing history. 37,000 chunks take 60 ms.
 */
export function digestCorpus(db: IndexDatabase): string {
  const hash = createHash("sha256");
  // Joined first, since each call into the hash costs more than the bytes it takes.
  let part = "";
  for (const { path, chunk_index, input_hash } of db.all<DigestRow>(SELECT_DIGEST_ROWS)) {
    part += `${path}\0${chunk_index}\0${input_hash}\n`;
    if (part.length < PART_LENGTH) continue;
    hash.update(part);
    part = "";
  }
  return hash.update(part).digest("hex");
}

/**
 * Shows `visit` the texts of every document, several times for a document of several blocks. In the
 * order of the index, which is none. To be called inside a transaction.
 *
 * @throws {AppError} `corrupt` if a text cannot be read.
 */
export function visitTexts(
  db: IndexDatabase,
  visit: (path: string, texts: readonly ChunkText[]) => void,
): void {
  db.each<TextsRow>(SELECT_TEXTS, ({ path, first_chunk_id: firstId, body }) => {
    visit(path, readBlock(firstId, body));
  });
}

const PART_LENGTH = 65_536;

const SELECT_DIGEST_ROWS = `
SELECT path, chunk_index, lower(hex(input_hash)) AS input_hash
FROM documents CROSS JOIN chunks ON document_id = documents.id
ORDER BY path, chunk_index`;

/* A block has chunks of one document only. */
const SELECT_TEXTS = `
SELECT path, first_chunk_id, body
FROM chunk_texts
CROSS JOIN chunks ON chunks.id = first_chunk_id
CROSS JOIN documents ON documents.id = document_id`;

interface DigestRow {
  readonly path: string;
  readonly chunk_index: number;
  readonly input_hash: string;
}

interface TextsRow {
  readonly path: string;
  readonly first_chunk_id: ChunkId;
  readonly body: BlockBody;
}
