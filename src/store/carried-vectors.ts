/**
 * Vectors out of another generation of the index, so that a rebuild embeds no text twice.
 *
 * In go the new index, its text complete, and the file of the old one; afterwards the new one's
 * pending chunks whose text has a vector in the old one have that vector. An old index that is
 * damaged, or of another model or schema, gives nothing.
 */
import type { ChunkId } from "../core/document.ts";
import type { EmbedderIdentity } from "../core/embedder.ts";
import { AppError } from "../errors.ts";
import { findInconsistencies } from "./consistency.ts";
import { adoptIdentity, verifyIdentity } from "./identity.ts";
import { type IndexDatabase, openIndex } from "./open.ts";
import { writeInTransaction } from "./transaction.ts";
import { insertVector } from "./vectors.ts";

/**
 * Carries vectors made by `identity` from the index at `oldFile` into `db`, in one transaction.
 *
 * @returns How many chunks got one.
 * @throws {AppError} As any write to `db`; never because of the old index.
 */
export function carryVectorsOver(db: IndexDatabase, oldFile: string, identity: EmbedderIdentity): number {
  using old = openSound(oldFile, identity);
  if (old === undefined) return 0;
  return writeInTransaction(db, () => {
    let carried = 0;
    for (const { id, input_hash } of db.all<PendingRow>(SELECT_PENDING)) {
      const found = old.get<{ readonly embedding: Uint8Array }>(SELECT_VECTOR_OF, input_hash);
      if (found === undefined) continue;
      if (carried === 0) adoptIdentity(db, identity);
      insertVector(db, id, found.embedding);
      db.run(DELETE_PENDING, id);
      carried++;
    }
    return carried;
  });
}

function openSound(file: string, identity: EmbedderIdentity): IndexDatabase | undefined {
  let db: IndexDatabase | undefined;
  try {
    db = openIndex(file, { mode: "read" });
    verifyIdentity(db, identity);
    if (findInconsistencies(db).length === 0) return db;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown; // what cannot be read has nothing to give
  }
  db?.close();
  return undefined;
}

const SELECT_PENDING = `
SELECT chunks.id, input_hash FROM pending_vectors CROSS JOIN chunks ON chunks.id = chunk_id ORDER BY chunks.id`;

const DELETE_PENDING = "DELETE FROM pending_vectors WHERE chunk_id = ?1";

const SELECT_VECTOR_OF = `
SELECT embedding FROM chunks CROSS JOIN chunk_vectors ON chunk_id = chunks.id WHERE input_hash = ?1 LIMIT 1`;

interface PendingRow {
  readonly id: ChunkId;
  readonly input_hash: Uint8Array;
}
