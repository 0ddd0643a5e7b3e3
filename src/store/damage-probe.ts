/**
 * A quick look for damage: the first and the last row of each table, and the texts they hold.
 *
 * In goes an open index, out comes the first thing that cannot be read. It takes about a millisecond and
 * reads some dozens of pages, so that damage elsewhere is not seen; looking at everything is `consistency.ts`.
 */
import type { ChunkId } from "../core/document.ts";
import { AppError } from "../errors.ts";
import type { IndexDatabase } from "./open.ts";
import { type BlockBody, readBlock } from "./text-blocks.ts";

/** What is damaged, in words, or undefined if nothing was met. @throws {AppError} `io` or `busy` where looking fails. */
export function findDamageInPassing(db: IndexDatabase): string | undefined {
  try {
    for (const { name, wr: hasNoRowid } of db.all<TableRow>(SELECT_TABLES)) {
      const key = hasNoRowid ? "1" : "rowid"; // without row ids, the first column
      for (const end of ["ASC", "DESC"]) db.all(`SELECT * FROM "${name}" ORDER BY ${key} ${end} LIMIT 1`);
    }
    for (const end of ["ASC", "DESC"]) {
      const row = db.get<BlockRow>(`${SELECT_BLOCKS} ${end} LIMIT 1`);
      if (row !== undefined) readBlock(row.first_chunk_id, row.body);
    }
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "corrupt") return thrown.message;
    throw thrown;
  }
}

interface TableRow {
  readonly name: string;
  readonly wr: 0 | 1;
}

interface BlockRow {
  readonly first_chunk_id: ChunkId;
  readonly body: BlockBody;
}

// The tables that FTS5 keeps are among them; those it only shows are not.
const SELECT_TABLES = `
SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name`;

const SELECT_BLOCKS = "SELECT first_chunk_id, body FROM chunk_texts ORDER BY first_chunk_id";
