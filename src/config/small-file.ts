/**
 * Reads the text of one small file that a person wrote, whatever somebody has put in its place.
 *
 * In goes a path, out comes the text, or that there is nothing, or why it is not read. Only a
 * regular file of moderate size is read, and it is looked at through the open handle, so that a
 * pipe cannot stop the program and a device cannot fill its memory. What the text means, and what
 * a refusal does, is known to the callers (`config-file.ts`, `engine/evaluation`).
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { messageOf } from "../errors.ts";

export type SmallFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  /** Not followed, since `followLinks` is false; it may lead nowhere. */
  | { readonly kind: "link" }
  /** Something else than a readable file of that size; `problem` goes on after the file's name. */
  | { readonly kind: "unusable"; readonly problem: string; readonly cause?: unknown };

export interface SmallFileOptions {
  /** False for a file that came with the documents. */
  readonly followLinks: boolean;
  /** A larger file is not read. */
  readonly maxBytes: number;
}

/** Decoded as UTF-8, without a byte order mark. A folder that this user may not look into has nothing in it. */
export function readSmallFile(file: string, { followLinks, maxBytes }: SmallFileOptions): SmallFile {
  try {
    const found = look(file);
    if (found === undefined) return { kind: "missing" };
    if (!followLinks && found.isSymbolicLink()) return { kind: "link" };
    const descriptor = openSync(file, OPEN_FLAGS | (followLinks ? 0 : (constants.O_NOFOLLOW ?? 0)));
    try {
      const stat = fstatSync(descriptor);
      if (stat.isDirectory()) return unusable("is a folder, not a file");
      if (!stat.isFile()) return unusable("is not a regular file");
      const bytes = readAtMost(descriptor, maxBytes + 1);
      if (bytes.length > maxBytes) return unusable(`is larger than ${maxBytes} bytes`);
      return { kind: "text", text: bytes.toString("utf8").replace(/^\uFEFF/, "") };
    } finally {
      closeSync(descriptor);
    }
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    if (code === "ENXIO") return unusable("is not a regular file");
    return { kind: "unusable", problem: `cannot be read: ${messageOf(thrown)}`, cause: thrown };
  }
}

/** Opening a pipe does not wait for its other end. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Undefined also where the folder does not let this user look: there is nothing then for this user. */
function look(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return undefined;
    throw thrown;
  }
}

/** Trusts no size that the system tells: some files have more than they say. */
function readAtMost(descriptor: number, maxBytes: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < maxBytes) {
    const part = Buffer.alloc(Math.min(PART_BYTES, maxBytes - length));
    const got = readSync(descriptor, part, 0, part.length, null);
    if (got === 0) break;
    parts.push(part.subarray(0, got));
    length += got;
  }
  return Buffer.concat(parts);
}

const PART_BYTES = 65_536;

function unusable(problem: string): SmallFile {
  return { kind: "unusable", problem };
}
