/**
 * Writing files that other programs read: whole or not at all, and never over something that is there.
 *
 * In go a place and a text. What is written is decided by the command.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { AppError, messageOf } from "../errors.ts";

/**
 * Makes a file, and the folders above it.
 *
 * @param mode Of the file; folders that are made are for the user alone if the file is.
 * @throws {AppError} `usage` if something is there already, `io` if it cannot be written.
 */
export function createFile(file: string, text: string, mode = 0o644): void {
  try {
    mkdirSync(dirname(file), { recursive: true, ...(mode === 0o600 ? { mode: 0o700 } : {}) });
    writeNew(file, text, mode);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST")
      throw new AppError("usage", `there is a file at ${file} already, which is left as it is`, {
        hint: "Remove it first, or name another place.",
        cause: thrown,
      });
    throw cannotWrite(file, thrown);
  }
}

/**
 * Replaces the text of a file at once; what was there is kept beside it. A link is followed, not replaced.
 *
 * @returns Where the old text is kept; undefined if there was none.
 * @throws {AppError} `io` if it cannot be written; the file is as it was then.
 */
export function replaceFile(file: string, text: string): string | undefined {
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) {
      writeNew(file, text, 0o600);
      return undefined;
    }
    const target = realpathSync.native(file);
    const backup = freeName(`${target}.before-kb`);
    copyFileSync(target, backup, constants.COPYFILE_EXCL);
    const draft = freeName(`${target}.kb-draft`);
    try {
      writeNew(draft, text, statSync(target).mode & 0o777);
      renameSync(draft, target);
    } finally {
      rmSync(draft, { force: true });
    }
    return backup;
  } catch (thrown) {
    throw cannotWrite(file, thrown);
  }
}

function writeNew(file: string, text: string, mode: number): void {
  const descriptor = openSync(file, "wx", mode);
  try {
    const bytes = Buffer.from(text);
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(descriptor, bytes, offset);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; existsSync(name); count += 1) name = `${wanted}-${count}`;
  return name;
}

function cannotWrite(file: string, cause: unknown): AppError {
  return new AppError("io", `${file} cannot be written: ${messageOf(cause)}`, {
    hint: "Check its permissions and those of its folder.",
    cause,
  });
}
