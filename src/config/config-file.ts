/**
 * Reads the text of a configuration file, whatever somebody has put in its place.
 *
 * In goes a path, out comes the text, or that there is nothing, or a link where none is
 * followed. Only a regular file of moderate size is read, and it is looked at through the
 * open handle, so that a pipe cannot stop the program and a device cannot fill its memory.
 * Which file it is, and what the text means, is known to `load.ts`.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { AppError, messageOf } from "../errors.ts";

export type ConfigText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  /** Not followed, since `followLinks` is false. */
  | { readonly kind: "link" };

export interface ConfigTextOptions {
  /** False for a file that came with the documents. */
  readonly followLinks: boolean;
  /** The option that names another file; `--config` if not given. */
  readonly option?: string;
}

/**
 * @throws {AppError} `config`: it is no regular file, is larger than 1 MiB, or cannot be read.
 */
export function readConfigText(
  file: string,
  { followLinks, option = "--config" }: ConfigTextOptions,
): ConfigText {
  const found = look(file, option);
  if (found === undefined) return { kind: "missing" };
  if (!followLinks && found.isSymbolicLink()) return { kind: "link" };
  let descriptor: number;
  try {
    descriptor = openSync(file, OPEN_FLAGS | (followLinks ? 0 : (constants.O_NOFOLLOW ?? 0)));
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    throw code === "ENXIO"
      ? unusable(file, "is not a regular file", option)
      : unreadable(file, thrown, option);
  }
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw unusable(file, "is a folder, not a file", option);
    if (!stat.isFile()) throw unusable(file, "is not a regular file", option);
    const bytes = readAtMost(descriptor, MAX_CONFIG_BYTES + 1);
    if (bytes.length > MAX_CONFIG_BYTES)
      throw unusable(file, `is larger than ${MAX_CONFIG_BYTES} bytes`, option);
    return { kind: "text", text: bytes.toString("utf8").replace(/^\uFEFF/, "") };
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : unreadable(file, thrown, option);
  } finally {
    closeSync(descriptor);
  }
}

const MAX_CONFIG_BYTES = 1024 * 1024;

/** Opening a pipe does not wait for its other end. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Undefined also where the folder does not let this user look: there is nothing then for this user. */
function look(file: string, option: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return undefined;
    throw unreadable(file, thrown, option);
  }
}

/** Trusts no size that the system tells: some files have more than they say. */
function readAtMost(descriptor: number, maxBytes: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < maxBytes) {
    const part = Buffer.alloc(Math.min(65_536, maxBytes - length));
    const got = readSync(descriptor, part, 0, part.length, null);
    if (got === 0) break;
    parts.push(part.subarray(0, got));
    length += got;
  }
  return Buffer.concat(parts);
}

function unusable(file: string, problem: string, option: string): AppError {
  return new AppError("config", `the configuration file ${file} ${problem}`, {
    hint: `Put a TOML file in its place, or name another one with ${option}.`,
  });
}

function unreadable(file: string, cause: unknown, option: string): AppError {
  return new AppError("config", `the configuration file ${file} cannot be read: ${messageOf(cause)}`, {
    hint: `Check its permissions, or name another one with ${option}.`,
    cause,
  });
}
