/**
 * Reading one file of the folder through one checked handle.
 *
 * In go the root and a file the walk found, out comes its text and hash, or the reason
 * why it was skipped; nothing here throws for a file. A link put in a file's place is
 * not followed and a pipe is not waited for. Decoding is done in `source/text.ts`.
 */
import { createHash, type Hash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from "node:fs";
import { join } from "node:path";
import { messageOf } from "../errors.ts";
import { decodeText, type Encoding } from "./text.ts";

/** Default of `maxBytes`: 64 MiB. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** What the walk found, or anything else below the root. */
export interface RawFile {
  /** Relative to the root, with every name exactly as on disk. */
  readonly rawPath: string;
}

export interface ReadOptions {
  /** Largest file that is read. */
  readonly maxBytes: number;
  /** If given, a file that has several names is read only if it is this one: a hard link can lead out of the folder. */
  readonly onlyInode?: bigint;
}

/** Stat of the open file, so that it belongs to the bytes that were read. */
export interface ReadStat {
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
}

/** A skip tells its reason, and the hash where the bytes were read all the same. */
export interface ReadSkip {
  readonly kind: "skip";
  readonly reason: string;
  readonly contentHash?: string;
  /** Present when there was no such file any more. */
  readonly isMissing?: true;
  /** Present when this says nothing about the file's content, which may be read another time; also when it is missing. */
  readonly isUnreadable?: true;
}

export interface ReadText extends ReadStat {
  readonly kind: "text";
  readonly text: string;
  readonly encoding: Encoding;
  /** SHA-256 of the raw bytes, hex. */
  readonly contentHash: string;
}

export type ReadOutcome = ReadText | ReadSkip;

export interface HashedFile extends ReadStat {
  readonly kind: "hash";
  /** SHA-256 of the raw bytes, hex. */
  readonly contentHash: string;
}

/** The whole document as text. `root` is canonical. Memory: the file once as bytes, once as text. */
export function readDocument(root: string, file: RawFile, options: ReadOptions): ReadOutcome {
  return withCheckedFile(root, file, options, (descriptor, stat) => {
    const bytes = new Uint8Array(stat.size);
    const length = fill(descriptor, bytes, 0);
    const content = bytes.subarray(0, length);
    const contentHash = createHash("sha256").update(content).digest("hex");
    const decoded = decodeText(content);
    if (decoded.kind === "undecodable") return { kind: "skip", reason: decoded.reason, contentHash };
    return { kind: "text", text: decoded.text, encoding: decoded.encoding, contentHash, ...stat };
  });
}

/** The hash alone, in constant memory. It equals the one `readDocument` gives. */
export function hashDocument(root: string, file: RawFile, options: ReadOptions): HashedFile | ReadSkip {
  return withCheckedFile(root, file, options, (descriptor, stat) => {
    const hash = createHash("sha256");
    hashFrom(descriptor, stat.size, hash);
    return { kind: "hash", contentHash: hash.digest("hex"), ...stat };
  });
}

const PORTION_BYTES = 1024 * 1024;
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Runs `read` on the open file if it is the regular one at that very path; whatever fails becomes a skip. */
export function withCheckedFile<Outcome>(
  root: string,
  { rawPath }: RawFile,
  { maxBytes, onlyInode }: ReadOptions,
  read: (descriptor: number, stat: ReadStat) => Outcome,
): Outcome | ReadSkip {
  let descriptor: number;
  try {
    descriptor = openSync(join(root, rawPath), OPEN_FLAGS);
  } catch (thrown) {
    return skipThrown(thrown);
  }
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    if (!stat.isFile()) return skip("not a regular file");
    if (!liesBelow(root, rawPath, stat)) return skip("symbolic link");
    if (onlyInode !== undefined && stat.nlink > 1n && stat.ino !== onlyInode) return skip("hard link");
    if (stat.size > BigInt(maxBytes)) {
      return skip(`too large: ${stat.size} bytes, the limit is ${maxBytes}`);
    }
    return read(descriptor, statOf(stat));
  } catch (thrown) {
    return skipThrown(thrown);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Whether the open file is the one at that very path: a folder on the way that was replaced
 * by a link leads elsewhere, and `O_NOFOLLOW` minds only the last name.
 */
function liesBelow(root: string, rawPath: string, { ino, dev }: BigIntStats): boolean {
  const path = join(root, rawPath);
  if (realpathSync.native(path) !== path) return false;
  const now = lstatSync(path, { bigint: true });
  return now.ino === ino && now.dev === dev;
}

function statOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): ReadStat {
  return { size: Number(size), mtimeNs, ctimeNs, inode: ino };
}

function skip(reason: string): ReadSkip {
  return { kind: "skip", reason };
}

function skipThrown(thrown: unknown): ReadSkip {
  const code = codeOf(thrown);
  return {
    ...skip(reasonOf(thrown)),
    ...(code === "ENOENT" ? { isMissing: true } : {}),
    ...(code !== undefined && KINDS_OF_FILE.has(code) ? {} : { isUnreadable: true }),
  };
}

/** What opening fails with because of what stands at the path. */
const KINDS_OF_FILE: ReadonlySet<string> = new Set(["ELOOP", "EMLINK", "ENXIO"]);

function hashFrom(descriptor: number, size: number, hash: Hash): void {
  const portion = new Uint8Array(Math.min(size, PORTION_BYTES));
  for (let done = 0; done < size; ) {
    const length = fill(descriptor, portion.subarray(0, Math.min(portion.length, size - done)), done);
    if (length === 0) return;
    hash.update(portion.subarray(0, length));
    done += length;
  }
}

/** Reads from `position` until `bytes` is full or the file ends, and tells how much it got. */
export function fill(descriptor: number, bytes: Uint8Array, position: number): number {
  let length = 0;
  while (length < bytes.length) {
    const got = readSync(descriptor, bytes, length, bytes.length - length, position + length);
    if (got === 0) break;
    length += got;
  }
  return length;
}

function reasonOf(thrown: unknown): string {
  switch (codeOf(thrown)) {
    case "ENOENT":
      return "gone: it was removed or renamed while the folder was read";
    case "EACCES":
    case "EPERM":
      return "no permission to read it";
    case "ELOOP":
    case "EMLINK":
      return "symbolic link";
    case "ENXIO":
      return "not a regular file";
    default:
      return `could not be read: ${messageOf(thrown)}`;
  }
}

function codeOf(thrown: unknown): string | undefined {
  return (thrown as NodeJS.ErrnoException).code;
}
