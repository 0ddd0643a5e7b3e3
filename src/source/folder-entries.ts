/**
 * One folder's entries with their keys.
 *
 * In goes a folder, out come its entries in order. A key is NFC, so that a folder
 * copied between systems keeps its keys; two entries never share one. Joining keys to paths and
 * deciding what is a document is done in `source/walk.ts`.
 */
import { type Dirent, readdirSync } from "node:fs";
import { compareCodePoints } from "../core/code-point-order.ts";
import { decodeFatal } from "./fatal-decoder.ts";

export interface KeyedEntry {
  readonly entry: Dirent;
  readonly key: string;
  /** The key another entry took that this one would have had; null in all but a few folders. */
  readonly twinOf: string | null;
}

/** An entry whose name is not UTF-8, so that no text can name it. */
export interface UnnamedEntry {
  readonly entry: Dirent;
  /** The name with its bytes outside ASCII written as `\xff`. */
  readonly shownName: string;
}

export interface FolderEntries {
  /** Ordered by key, by code points. */
  readonly keyed: readonly KeyedEntry[];
  readonly unnamed: readonly UnnamedEntry[];
}

/**
 * Lists a folder.
 *
 * Of several names that are one text in NFC, the one that is NFC already takes the key, else the first;
 * the others keep their raw names.
 *
 * @throws What the system threw, if the folder cannot be listed.
 */
export function listFolder(folder: string): FolderEntries {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes(REPLACEMENT)))
    return { keyed: keyEntries(entries), unnamed: [] };

  // The system's text listing puts U+FFFD for what is not UTF-8; the bytes tell which names really have it.
  const rawNames = readdirSync(folder, { encoding: "buffer" });
  const named = new Set<string>();
  const shownOfLossy = new Map<string, string>();
  for (const rawName of rawNames) {
    const name = decodeFatal("utf-8", rawName);
    if (name !== undefined) named.add(name);
    else shownOfLossy.set(rawName.toString("utf8"), showBytes(rawName));
  }
  const unnamed = entries.flatMap((entry) => {
    const shownName = named.has(entry.name) ? undefined : shownOfLossy.get(entry.name);
    return shownName === undefined ? [] : [{ entry, shownName }];
  });
  return { keyed: keyEntries(entries.filter(({ name }) => named.has(name))), unnamed };
}

const REPLACEMENT = "\uFFFD";
const ASCII = /^[\0-\x7f]*$/;

function keyEntries(entries: readonly Dirent[]): KeyedEntry[] {
  const keyed: KeyedEntry[] = [];
  const decomposed: Dirent[] = [];
  const taken = new Set<string>();
  for (const entry of entries) {
    if (ASCII.test(entry.name) || entry.name === entry.name.normalize("NFC")) {
      keyed.push({ entry, key: entry.name, twinOf: null });
      taken.add(entry.name);
    } else {
      decomposed.push(entry);
    }
  }
  decomposed.sort((a, b) => compareCodePoints(a.name, b.name));
  for (const entry of decomposed) {
    const key = entry.name.normalize("NFC");
    keyed.push(taken.has(key) ? { entry, key: entry.name, twinOf: key } : { entry, key, twinOf: null });
    taken.add(key);
  }
  return keyed.sort((a, b) => compareCodePoints(a.key, b.key));
}

function showBytes(name: Uint8Array): string {
  return Array.from(name, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
  ).join("");
}
