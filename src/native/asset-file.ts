/**
 * One unpacked file: is it still what we wrote, and if not, write it again.
 *
 * In go an asset and a folder that exists; afterwards the folder holds the
 * asset's exact bytes. Hashing tens of megabytes on each start would cost more
 * than loading them, so a stamp beside the file records what the file system
 * said of it when it was last hashed. Choosing the folder is `extract.ts`.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AppError } from "../errors.ts";
import { replaceFile } from "./replace-file.ts";

/** A file carried by the program: what it must contain, and where Bun keeps it. */
export interface Asset {
  /** The file's name once unpacked; libraries find each other by it. */
  readonly name: string;
  /** Virtual in a compiled executable, real when run from source. */
  readonly embeddedPath: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** What runs a model. */
export interface OnnxAssets {
  readonly runtime: Asset;
  /** Finds the runtime only if both lie in one folder, under the names given here. */
  readonly binding: Asset;
}

/** The shared libraries of one platform; undefined is what nobody builds for it. */
export interface NativeAssets {
  readonly onnx: OnnxAssets | undefined;
  readonly vectorExtension: Asset | undefined;
}

/** A temporary file older than this was left by a process that died, not by one still writing. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Answers whether `path` holds the asset's bytes.
 *
 * Costs two small reads while the stamp agrees with size, times and inode, and
 * one full hash when it does not (after a copy, a restore or a change).
 */
export function isIntact(path: string, asset: Asset): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size !== asset.size) return false;
  if (findStamp(path) === stampOf(path, asset)) return true;
  if (sha256Of(readFileSync(path)) !== asset.sha256) return false;
  try {
    writeAside(stampPathOf(path), stampOf(path, asset));
  } catch {
    // A read-only folder may hold good files: they are hashed each time instead.
  }
  return true;
}

/**
 * Puts the asset's bytes at `path` so that no reader ever sees half of them.
 *
 * Safe to run from several processes and threads at once: each writes its own
 * temporary file, and whichever rename comes last wins with equal bytes.
 *
 * @throws {AppError} `io` if the embedded bytes themselves are damaged.
 * @throws The file system's own error if the folder cannot be written.
 */
export function writeAssetFile(path: string, folder: string, asset: Asset): void {
  const bytes = readFileSync(asset.embeddedPath);
  if (bytes.length !== asset.size || sha256Of(bytes) !== asset.sha256) {
    throw new AppError("io", `the copy of ${asset.name} inside this program is damaged`, {
      hint: "Download kb again and compare its checksum.",
    });
  }
  removeAbandonedFiles(folder);
  try {
    writeAside(path, bytes, true);
  } catch (error) {
    // Windows refuses to replace a library in use: fine if a neighbour has just put it there.
    if (!isIntact(path, asset)) throw error;
  }
  writeAside(stampPathOf(path), stampOf(path, asset));
}

/** @param mustLast Whether to wait for the disk; a stamp that is lost only costs a hash. */
function writeAside(path: string, content: Uint8Array | string, mustLast = false): void {
  // Threads share a pid, so the random part is what keeps their names apart.
  const aside = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = openSync(aside, "wx", 0o700);
    try {
      writeFileSync(file, content);
      if (mustLast) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    replaceFile(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

function removeAbandonedFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".tmp")) continue;
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS) rmSync(join(folder, name), { force: true });
  }
}

function stampPathOf(path: string): string {
  return `${path}.ok`;
}

function findStamp(path: string): string | undefined {
  try {
    return readFileSync(stampPathOf(path), "utf8");
  } catch {
    return undefined;
  }
}

function stampOf(path: string, asset: Asset): string {
  const { size, mtimeMs, ctimeMs, ino } = statSync(path);
  return `${asset.sha256} ${size} ${mtimeMs} ${ctimeMs} ${ino}\n`;
}

function sha256Of(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
