/**
 * What an index was made with and for: the embedder its vectors come from, and the
 * folder it describes.
 *
 * Recorded once, compared at every later use. A difference is refused with both values,
 * since vectors of two models cannot be compared and two folders must not prune each other.
 */
import type { EmbedderIdentity } from "../core/embedder.ts";
import { AppError } from "../errors.ts";
import { findMeta, setMeta } from "./meta.ts";
import type { IndexDatabase } from "./open.ts";
import { writeInTransaction } from "./transaction.ts";
import { discardVectors } from "./vectors.ts";

/**
 * The embedder whose vectors the index holds; `undefined` while it has none.
 *
 * @throws {AppError} `corrupt` if it is not readable.
 */
export function readIdentity(db: IndexDatabase): EmbedderIdentity | undefined {
  const stored = findMeta(db, EMBEDDER_KEY);
  if (stored === undefined) return undefined;
  try {
    return JSON.parse(stored) as EmbedderIdentity;
  } catch (cause) {
    throw new AppError(
      "corrupt",
      `the model that the index ${db.file} was made with cannot be read from it`,
      {
        hint: "Rebuild the index with `kb index --force`.",
        cause,
      },
    );
  }
}

/**
 * Checks that vectors of `identity` may be compared with those in the index; an index
 * without an embedder accepts any.
 *
 * @throws {AppError} `incompatible` naming both, and what differs.
 */
export function verifyIdentity(db: IndexDatabase, identity: EmbedderIdentity): void {
  const recorded = readIdentity(db);
  if (recorded === undefined) return;
  const differing = differenceOf(recorded, identity);
  if (differing.length === 0) return;
  const what = differing.map((field) => `${field} ${recorded[field]} / ${identity[field]}`).join(", ");
  throw new AppError(
    "incompatible",
    `the index was made with the model ${recorded.name}, this run uses ${identity.name} (${what})`,
    {
      hint: "Make its vectors anew with `kb index`, or go back to the model it was made with. Its text stays as it is.",
    },
  );
}

/**
 * Removes all vectors if another embedder than `identity` made them, and records `identity` instead; chunks and
 * full text stay.
 *
 * @returns The name of the other embedder if there was one, else undefined.
 */
export function replaceIdentity(db: IndexDatabase, identity: EmbedderIdentity): string | undefined {
  return writeInTransaction(db, () => {
    const recorded = readIdentity(db);
    if (recorded === undefined || differenceOf(recorded, identity).length === 0) return undefined;
    discardVectors(db);
    recordIdentity(db, identity);
    return recorded.name;
  });
}

/**
 * Records the embedder in an index that has none, else verifies it as above. To be called
 * before the first vector is stored.
 */
export function adoptIdentity(db: IndexDatabase, identity: EmbedderIdentity): void {
  if (readIdentity(db) !== undefined) {
    verifyIdentity(db, identity);
    return;
  }
  recordIdentity(db, identity);
}

/**
 * Records the folder of an index kept outside it, or compares it with the recorded one.
 * Not to be called for an index inside its folder: that one moves with it.
 *
 * @param root Absolute, links resolved.
 * @throws {AppError} `incompatible` naming both folders.
 */
export function adoptRoot(db: IndexDatabase, root: string): void {
  const recorded = findMeta(db, ROOT_KEY);
  if (recorded === root) return;
  if (recorded === undefined) {
    setMeta(db, ROOT_KEY, root);
    return;
  }
  throw new AppError("incompatible", `the index ${db.file} belongs to ${recorded}, not to ${root}`, {
    hint: "Name another `index_dir` in kb.toml, or rebuild the index with `kb index --force`.",
  });
}

const EMBEDDER_KEY = "embedder";

const ROOT_KEY = "root";

const IDENTITY_FIELDS = [
  "name",
  "revision",
  "dims",
  "maxTokens",
  "pooling",
  "queryPrefix",
  "passagePrefix",
] as const satisfies readonly (keyof EmbedderIdentity)[];

function differenceOf(recorded: EmbedderIdentity, identity: EmbedderIdentity) {
  return IDENTITY_FIELDS.filter((field) => recorded[field] !== identity[field]);
}

function recordIdentity(db: IndexDatabase, identity: EmbedderIdentity): void {
  const ordered = Object.fromEntries(IDENTITY_FIELDS.map((field) => [field, identity[field]]));
  setMeta(db, EMBEDDER_KEY, JSON.stringify(ordered));
}
