/**
 * Whether an index agrees with itself: its pages, its full text, and rows that belong together.
 *
 * In goes an open index, which may be read-only; out comes what contradicts itself, and what
 * removes it. Nothing is changed. What the index says about the folder is compared in `engine/`;
 * a file that cannot even be opened is told by `open.ts`.
 */
import type { ChunkId } from "../core/document.ts";
import { AppError } from "../errors.ts";
import { readIdentity } from "./identity.ts";
import type { IndexDatabase } from "./open.ts";
import { isSqliteError } from "./sqlite-errors.ts";
import { BlockReader, type BlockRow } from "./text-blocks.ts";
import { readInTransaction } from "./transaction.ts";

/** One kind of contradiction. */
export interface Inconsistency {
  /** One sentence without a full stop, for the user. */
  readonly what: string;
  /** The command that removes it, to be followed by the folder of documents. */
  readonly remedy: string;
}

/**
 * Reads all of the index once, on one view of it: about a second for 100 MB. A bit that changed
 * inside a word or a vector contradicts nothing and is not found.
 *
 * @returns Each kind of contradiction once, with how many there are and up to 5 of them.
 * @throws {AppError} `busy`, or `io` if the file cannot be read.
 */
export function findInconsistencies(db: IndexDatabase): readonly Inconsistency[] {
  try {
    return readInTransaction(db, () => {
      const damages = listDamages(db);
      // Rows of damaged pages say nothing.
      if (damages.length > 0) return [inconsistency("the index file is damaged", damages)];
      return [...contradictingVectors(db), ...contradictingRows(db), ...lostTexts(db)];
    });
  } catch (thrown) {
    // Statements that work on any whole index: where SQLite does not understand one, the index is at fault.
    const isDamaged = isSqliteError(thrown) || (thrown instanceof AppError && thrown.code === "corrupt");
    if (!isDamaged) throw thrown;
    return [inconsistency("the index file is damaged", [thrown.message])];
  }
}

/**
 * Refuses an index that contradicts itself.
 *
 * @throws {AppError} `corrupt` with all that was found; else as `findInconsistencies`.
 */
export function requireConsistency(db: IndexDatabase): void {
  const found = findInconsistencies(db);
  if (found.length === 0) return;
  const whats = found.map(({ what }) => what).join("; ");
  throw new AppError("corrupt", `the index ${db.file} contradicts itself: ${whats}`, {
    hint: "Rebuild it with `kb index --force`; the documents themselves are not touched.",
    cause: found,
  });
}

const REBUILD = "kb index --force";

const SAMPLES = 5;

function inconsistency(what: string, samples: readonly string[], count = samples.length): Inconsistency {
  const shown = samples.slice(0, SAMPLES).join("; ");
  const more = count > SAMPLES ? ` and ${count - SAMPLES} more` : "";
  return { what: `${what}: ${shown}${more}`, remedy: REBUILD };
}

/** Of the pages, and of the two full-text tables, whose own check SQLite runs along. */
function listDamages(db: IndexDatabase): string[] {
  const rows = db.all<{ readonly quick_check: string }>("PRAGMA quick_check");
  return rows.map(({ quick_check }) => quick_check).filter((message) => message !== "ok");
}

/** Vectors are made by a known model, and are as long as it makes them. */
function contradictingVectors(db: IndexDatabase): Inconsistency[] {
  const lengths = db.all<{ readonly dims: number }>(SELECT_LENGTHS).map(({ dims }) => dims);
  if (lengths.length === 0) return [];
  const dims = readIdentity(db)?.dims;
  const wrong = lengths.filter((length) => length !== dims);
  if (wrong.length === 0) return [];
  return [
    inconsistency(`vectors that are not of ${dims ?? "any known number of"} numbers`, wrong.map(String)),
  ];
}

function contradictingRows(db: IndexDatabase): Inconsistency[] {
  return RULES.flatMap(({ what, sql }) => {
    const { count } = db.get<{ readonly count: number }>(`SELECT count(*) AS count FROM (${sql})`)!;
    if (count === 0) return [];
    const samples = db.all<{ readonly sample: string }>(`${sql} ORDER BY 1 LIMIT ${SAMPLES}`);
    return [
      inconsistency(
        what,
        samples.map(({ sample }) => sample),
        count,
      ),
    ];
  });
}

/** The text of every chunk is taken out of its block, which must begin in the same document. */
function lostTexts(db: IndexDatabase): Inconsistency[] {
  const lost: string[] = [];
  let reader = new BlockReader();
  let openBlock: ChunkId | null = null;
  db.each<TextRow>(SELECT_TEXTS, (row) => {
    if (row.first_chunk_id !== openBlock) reader = new BlockReader(); // holds one block at a time
    openBlock = row.first_chunk_id;
    if (row.document_id !== row.block_document_id || !isReadable(reader, row)) lost.push(row.sample);
  });
  return lost.length === 0 ? [] : [inconsistency("passages whose text is lost", lost)];
}

function isReadable(reader: BlockReader, row: BlockRow): boolean {
  try {
    reader.textOf(row);
    return true;
  } catch (thrown) {
    if (thrown instanceof AppError) return false; // the answer to the question, not a failure
    throw thrown;
  }
}

interface Rule {
  readonly what: string;
  /** A row for each contradiction, its one column `sample` naming it. */
  readonly sql: string;
}

/** A chunk as people find it again. */
const CHUNK_NAME = `
coalesce((SELECT path FROM documents WHERE documents.id = chunks.document_id), 'document ' || document_id)
  || ' #' || chunk_index`;

const FULL_TEXT_RULES: readonly Rule[] = ["chunk_phrases", "chunk_terms"].flatMap((table) => [
  {
    what: `passages missing in the full text (${table})`,
    sql: `SELECT ${CHUNK_NAME} AS sample FROM chunks WHERE id NOT IN (SELECT id FROM ${table}_docsize)`,
  },
  {
    what: `full text without a passage (${table})`,
    sql: `SELECT 'passage ' || id AS sample FROM ${table}_docsize WHERE id NOT IN (SELECT id FROM chunks)`,
  },
]);

const RULES: readonly Rule[] = [
  {
    what: "documents whose description is of the wrong kind",
    sql: `SELECT 'document ' || id AS sample FROM documents
      WHERE typeof(path) <> 'text' OR typeof(title) <> 'text' OR typeof(content_hash) <> 'blob'
        OR typeof(category) NOT IN ('text', 'null') OR typeof(topic) NOT IN ('text', 'null')
        OR typeof(date) NOT IN ('text', 'null') OR typeof(raw_path) NOT IN ('text', 'blob', 'null')
        OR typeof(size) <> 'integer' OR typeof(mtime_ns) <> 'integer' OR typeof(ctime_ns) <> 'integer'
        OR typeof(inode) <> 'integer' OR NOT json_valid(coalesce(tags, '[]'))
        OR NOT json_valid(coalesce(warnings, '[]'))`,
  },
  {
    what: "passages whose description is of the wrong kind",
    sql: `SELECT 'passage ' || id AS sample FROM chunks
      WHERE typeof(input_hash) <> 'blob' OR typeof(chunk_index) <> 'integer' OR typeof(quality) <> 'real'
        OR typeof(line_start) <> 'integer' OR typeof(line_end) <> 'integer'
        OR typeof(token_count) <> 'integer' OR typeof(level) NOT IN ('integer', 'null')`,
  },
  {
    what: "passages without a document",
    sql: `SELECT ${CHUNK_NAME} AS sample FROM chunks WHERE document_id NOT IN (SELECT id FROM documents)`,
  },
  {
    what: "documents without a passage",
    sql: `SELECT path AS sample FROM documents
      WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE document_id = documents.id)`,
  },
  {
    what: "documents with passages missing",
    sql: `SELECT path AS sample FROM documents WHERE id IN (
      SELECT document_id FROM chunks GROUP BY document_id
      HAVING min(chunk_index) <> 0 OR max(chunk_index) <> count(*) - 1)`,
  },
  {
    what: "links without a document, or of the wrong kind",
    sql: `SELECT 'document ' || document_id AS sample FROM document_links
      WHERE document_id NOT IN (SELECT id FROM documents) OR typeof(external) <> 'integer'
        OR NOT json_valid(links)`,
  },
  {
    what: "documents of an unknown reading",
    sql: "SELECT path AS sample FROM documents WHERE reading_id NOT IN (SELECT id FROM readings)",
  },
  {
    what: "passages that neither have a vector nor wait for one",
    sql: `SELECT ${CHUNK_NAME} AS sample FROM chunks
      WHERE id NOT IN (SELECT chunk_id FROM chunk_vectors) AND id NOT IN (SELECT chunk_id FROM pending_vectors)`,
  },
  {
    what: "passages that have a vector and wait for one",
    sql: `SELECT ${CHUNK_NAME} AS sample FROM chunks
      WHERE id IN (SELECT chunk_id FROM chunk_vectors) AND id IN (SELECT chunk_id FROM pending_vectors)`,
  },
  {
    what: "vectors without a passage",
    sql: `SELECT 'passage ' || chunk_id AS sample FROM (
      SELECT chunk_id FROM chunk_vectors UNION SELECT chunk_id FROM pending_vectors)
      WHERE chunk_id NOT IN (SELECT id FROM chunks)`,
  },
  ...FULL_TEXT_RULES,
  {
    what: "texts without a passage",
    sql: `SELECT 'passage ' || first_chunk_id AS sample FROM chunk_texts
      WHERE first_chunk_id NOT IN (SELECT id FROM chunks)`,
  },
  {
    // The next passage would get the number of one that is there.
    what: "passages numbered higher than the last number given out",
    sql: `SELECT ${CHUNK_NAME} AS sample FROM chunks
      WHERE id > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0)`,
  },
];

const SELECT_LENGTHS = "SELECT DISTINCT length(embedding) AS dims FROM chunk_vectors ORDER BY 1";

const SELECT_TEXTS = `
SELECT chunks.id, chunks.document_id, ${CHUNK_NAME} AS sample, first_chunk_id, body,
  (SELECT document_id FROM chunks AS first WHERE first.id = first_chunk_id) AS block_document_id
FROM chunks LEFT JOIN chunk_texts ON first_chunk_id =
  (SELECT max(first_chunk_id) FROM chunk_texts WHERE first_chunk_id <= chunks.id)
ORDER BY chunks.id`;

interface TextRow extends BlockRow {
  readonly document_id: number;
  readonly block_document_id: number | null;
  readonly sample: string;
}
