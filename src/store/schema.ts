/**
 * The tables of an index and the number that says which form of them a file has.
 *
 * Everything is made in one go by `createSchema`; `open.ts` decides when. There are no
 * migrations: an index is derived from the documents, so another version is refused and rebuilt.
 */

/** Raised whenever a table changes its form or its meaning. Kept in `PRAGMA user_version`. */
export const SCHEMA_VERSION = 4;

/** `kbix` in ASCII. Kept in `PRAGMA application_id`; tells our files from other people's databases. */
export const APPLICATION_ID = 0x6b626978;

/*
 * Ids are AUTOINCREMENT so that none is ever used twice: what a reader has in memory under a
 * chunk's id (`vector-memory.ts`) then never belongs to a newer chunk.
 *
 * A chunk has a row either in `pending_vectors` or in `chunk_vectors`: the bytes of `quantise.ts`
 * in an ordinary table, which every SQLite can read and write. sqlite-vec's own kind of table
 * takes as much space, three times as long to fill, and is no faster to search (37,000 vectors of
 * 384 dimensions, 100 nearest: 25 ms, this one 20 ms); several vectors in a row gain nothing.
 *
 * `spare_vectors` holds, during a run, the vectors of texts that were replaced, since a text that
 * was moved may come up again later in the run.
 *
 * `document_links` has a row for each document with links: few read it, so that it is apart
 * from `documents`. 9,600 links of 2,569 documents take 0.6 MB.
 *
 * `chunk_texts` has a row for each block of `text-blocks.ts`, under the id of its first chunk.
 * In `documents`, NULL is what is usual: a raw path equal to the path, no tags, no warnings.
 * `day` is what a date filter compares: the date as `YYYY-MM-DD`, NULL if it is none.
 * `reading_id` is no declared reference: with that check an upsert needs a savepoint of its
 * own, and FTS5 writes a segment at each (38,000 small documents: 12 instead of 8 s).
 *
 * Full-text: `content` comes first, because a posting in any later column costs two bytes
 * more (17 MB of documentation: 2.7 instead of 3.7 times the text). Segments are gathered in
 * 16 MB of memory and merged only when 16 have come together, which loads fastest (38,404
 * small documents: 3.6 instead of 5.9 s); `maintenance.ts` merges the rest.
 *
 * `chunk_terms` is fed what `core/analyse.ts` makes of the text, so its tokenizer only has to
 * split at spaces; `categories` lets it keep `c++` and Thai vowels. It needs its positions:
 * with less detail a contentless table cannot count, and BM25 is 0 for every row.
 */
const TABLES = `
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE readings (
  id              INTEGER PRIMARY KEY,
  indexed_at      TEXT NOT NULL,
  encoding        TEXT NOT NULL,
  parser_version  TEXT NOT NULL,
  chunker_version TEXT NOT NULL,
  UNIQUE (indexed_at, encoding, parser_version, chunker_version)
);

CREATE TABLE documents (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  path         TEXT NOT NULL UNIQUE,
  raw_path     BLOB,
  title        TEXT NOT NULL,
  category     TEXT,
  topic        TEXT,
  date         TEXT,
  day          TEXT,
  tags         TEXT,
  warnings     TEXT,
  content_hash BLOB NOT NULL,
  size         INTEGER NOT NULL,
  mtime_ns     INTEGER NOT NULL,
  ctime_ns     INTEGER NOT NULL,
  inode        INTEGER NOT NULL,
  reading_id   INTEGER NOT NULL
);
CREATE INDEX documents_by_reading ON documents (reading_id);

CREATE TABLE document_links (
  document_id INTEGER PRIMARY KEY,
  external    INTEGER NOT NULL,
  links       TEXT NOT NULL
);

CREATE TABLE chunks (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  document_id  INTEGER NOT NULL REFERENCES documents(id),
  chunk_index  INTEGER NOT NULL,
  quality      REAL NOT NULL,
  level        INTEGER,
  line_start   INTEGER NOT NULL,
  line_end     INTEGER NOT NULL,
  token_count  INTEGER NOT NULL,
  input_hash   BLOB NOT NULL,
  UNIQUE (document_id, chunk_index)
);
CREATE INDEX chunks_by_input ON chunks (input_hash);
CREATE INDEX chunks_of_low_quality ON chunks (quality) WHERE quality < 1;

CREATE TABLE chunk_texts (
  first_chunk_id INTEGER PRIMARY KEY,
  body           BLOB NOT NULL
);

CREATE TABLE pending_vectors (chunk_id INTEGER PRIMARY KEY);
CREATE TABLE chunk_vectors (
  chunk_id  INTEGER PRIMARY KEY,
  embedding BLOB NOT NULL
);
CREATE TABLE spare_vectors (
  input_hash BLOB PRIMARY KEY,
  embedding  BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE skipped (
  path         TEXT PRIMARY KEY,
  reason       TEXT NOT NULL,
  content_hash TEXT,
  unreadable   INTEGER NOT NULL,
  size         INTEGER NOT NULL,
  mtime_ns     TEXT NOT NULL,
  ctime_ns     TEXT NOT NULL,
  inode        TEXT NOT NULL,
  made_by      TEXT NOT NULL,
  seen_at      TEXT NOT NULL
) WITHOUT ROWID;

CREATE VIRTUAL TABLE chunk_phrases USING fts5 (
  content, heading, context,
  content = '', contentless_delete = 1,
  tokenize = 'trigram remove_diacritics 1 case_sensitive 0'
);
INSERT INTO chunk_phrases (chunk_phrases, rank) VALUES ('hashsize', 16777216);
INSERT INTO chunk_phrases (chunk_phrases, rank) VALUES ('automerge', 16);

CREATE VIRTUAL TABLE chunk_terms USING fts5 (
  content, title, headings,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* S* P* Co'"
);
INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('hashsize', 16777216);
INSERT INTO chunk_terms (chunk_terms, rank) VALUES ('automerge', 16);
CREATE VIRTUAL TABLE chunk_terms_vocab USING fts5vocab (chunk_terms, row);
`;

/** Makes every table and stamps the file with its application id and schema version; runs inside the caller's transaction. */
export function createSchema(db: { execute(sql: string): void }): void {
  db.execute(TABLES);
  db.execute(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.execute(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}
