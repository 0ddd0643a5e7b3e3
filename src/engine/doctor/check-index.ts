/**
 * Checks of an index file: that it can be opened, was made by this model, and agrees with itself.
 *
 * In go the place of the index; out comes the open index, for `check-content.ts` and for the caller to close.
 * Nothing is changed, and no right to write is needed.
 */

import type { EmbedderIdentity } from "../../core/embedder.ts";
import { shellWord } from "../../core/shell-word.ts";
import { AppError } from "../../errors.ts";
import { findInconsistencies } from "../../store/consistency.ts";
import { adoptRoot, readIdentity, verifyIdentity } from "../../store/identity.ts";
import { findIndexFile } from "../../store/index-location.ts";
import { findLeftOvers } from "../../store/left-overs.ts";
import { type IndexDatabase, openIndex } from "../../store/open.ts";
import type { VectorEngineOptions } from "../../store/vector-engine.ts";
import { findWriter, type WriterHolder } from "../../store/writer-lock.ts";
import type { IndexPlace } from "../index-place.ts";
import type { Examination } from "./examination.ts";

export interface IndexCheck {
  readonly root: string;
  readonly place: IndexPlace;
  readonly identity: EmbedderIdentity;
  readonly vectorOptions: VectorEngineOptions;
}

/** The open index, or undefined if it cannot be opened, which is a finding then. */
export function checkIndexFile(
  examination: Examination,
  { root, place, identity, vectorOptions }: IndexCheck,
): IndexDatabase | undefined {
  const file = findIndexFile(place.directory)!;
  let db: IndexDatabase | undefined;
  try {
    db = openIndex(file, { mode: "read", ...vectorOptions });
    if (!place.isInRoot) adoptRoot(db, root);
  } catch (thrown) {
    db?.close();
    examination.findFailure("index-file", thrown, commandOf(thrown, root));
    return undefined;
  }
  checkModelOf(examination, db, root, identity);
  checkLeftOvers(examination, db, root, place.directory);
  return db;
}

/** Tells who is writing the index now, if anybody is. */
export function checkWriter(examination: Examination, directory: string): WriterHolder | undefined {
  const writer = findWriter(directory);
  if (writer === undefined) return undefined;
  const { pid, hostname, since } = writer;
  examination.warn(
    "being-written",
    `process ${pid} on ${hostname} has been writing the index since ${since}; searching goes on meanwhile`,
    `Wait until it has finished, or end it: kill ${pid}`,
  );
  return writer;
}

/** Reads all of the index, which takes some seconds for a large one. */
export function checkConsistency(examination: Examination, db: IndexDatabase, root: string): void {
  const inconsistencies = findInconsistencies(db);
  for (const { what, remedy } of inconsistencies)
    examination.find({
      id: "inconsistent-index",
      severity: "error",
      sentence: what,
      remedy: `${remedy} ${shellWord(root)}`,
    });
  if (inconsistencies.length === 0)
    examination.tell("consistency", "pages, full text, passages and vectors agree");
}

function checkModelOf(
  examination: Examination,
  db: IndexDatabase,
  root: string,
  identity: EmbedderIdentity,
): void {
  try {
    verifyIdentity(db, identity);
    if (readIdentity(db) !== undefined) examination.tell("vectors of", identity.name);
  } catch (thrown) {
    examination.findFailure("other-model", thrown, commandOf(thrown, root));
  }
}

function checkLeftOvers(examination: Examination, db: IndexDatabase, root: string, directory: string): void {
  const { files, bytes } = findLeftOvers(directory, db.file);
  examination.findAll(
    {
      id: "left-overs",
      severity: "warning",
      sentence: `${files.length} files of earlier or unfinished indexes take ${(bytes / 1e6).toFixed(1)} MB in ${directory}`,
      remedy: `If no other kb serves ${root}: rm ${files.map(shellWord).join(" ")}`,
    },
    files,
  );
}

/** The command with its folder, where a command is the remedy; undefined where something else is. */
export function commandOf(thrown: unknown, root: string): string | undefined {
  const hint = thrown instanceof AppError ? thrown.hint : undefined;
  if (hint?.includes("`kb index --force`")) return `kb index --force ${shellWord(root)}`;
  return hint?.includes("`kb index`") ? `kb index ${shellWord(root)}` : undefined;
}
