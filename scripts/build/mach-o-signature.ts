/**
 * The signature that macOS wants to see in an executable: present, and true for each page.
 *
 * In goes the file of a 64-bit executable, and out comes the same with an ad-hoc signature, as
 * a linker makes it: hashes, and nobody's name. Bun signs what it compiles for Apple
 * silicon but leaves the Intel runtime's own signature, which no longer fits. Layout and
 * numbers are those of the system's headers mach-o/loader.h and kern/cs_blobs.h.
 */
import { readFileSync, writeFileSync } from "node:fs";

/**
 * Replaces the signature, which has to be the last thing in the file.
 *
 * @throws {Error} If the file is not laid out as expected.
 */
export function signAdHoc(file: string): void {
  const bytes = readFileSync(file);
  const { command, codeLimit, linkEdit, text } = findParts(bytes);
  const pages = Math.ceil(codeLimit / PAGE);
  const length = SUPER_BLOB + DIRECTORY + IDENTIFIER.length + pages * HASH;
  const padded = Math.ceil(length / 16) * 16;

  const signed = Buffer.alloc(codeLimit + padded);
  bytes.copy(signed, 0, 0, codeLimit);
  // Sizes come first: they lie in the first page and are part of what is hashed.
  signed.writeUInt32LE(padded, command + 12);
  const linkEditSize = signed.length - Number(bytes.readBigUInt64LE(linkEdit + 40));
  signed.writeBigUInt64LE(BigInt(Math.ceil(linkEditSize / SEGMENT_PAGE) * SEGMENT_PAGE), linkEdit + 32);
  signed.writeBigUInt64LE(BigInt(linkEditSize), linkEdit + 48);

  writeNumbers(signed, codeLimit, [SUPER_BLOB_MAGIC, length, 1, 0, SUPER_BLOB]);
  const directory = codeLimit + SUPER_BLOB;
  const hashes = DIRECTORY + IDENTIFIER.length;
  writeNumbers(signed, directory, [DIRECTORY_MAGIC, length - SUPER_BLOB, VERSION, AD_HOC_BY_LINKER]);
  writeNumbers(signed, directory + 16, [hashes, DIRECTORY, 0, pages, codeLimit]);
  signed.set([HASH, SHA256, 0, PAGE_BITS], directory + 36);
  bytes.copy(signed, directory + 64, text + 40, text + 56);
  // The executable segment's place and size, copied above, are big-endian here.
  signed.subarray(directory + 64, directory + 72).reverse();
  signed.subarray(directory + 72, directory + 80).reverse();
  signed.writeBigUInt64BE(MAIN_BINARY, directory + 80);
  signed.write(IDENTIFIER, directory + DIRECTORY, "latin1");
  for (let page = 0; page < pages; page++)
    signed.set(hashOfPage(signed, page, codeLimit), directory + hashes + page * HASH);
  writeFileSync(file, signed);
}

/** @throws {Error} If a page does not have the hash its signature gives. */
export function checkSignature(file: string): void {
  const bytes = readFileSync(file);
  const { codeLimit } = findParts(bytes);
  const directory = codeLimit + bytes.readUInt32BE(codeLimit + 16);
  const isSigned =
    bytes.readUInt32BE(codeLimit) === SUPER_BLOB_MAGIC &&
    bytes.readUInt32BE(directory) === DIRECTORY_MAGIC &&
    bytes.readUInt32BE(directory + 32) === codeLimit &&
    bytes[directory + 37] === SHA256 &&
    bytes[directory + 39] === PAGE_BITS;
  if (!isSigned) throw new Error(`${file} has no signature of its whole content`);
  const hashes = directory + bytes.readUInt32BE(directory + 16);
  for (let page = 0; page < Math.ceil(codeLimit / PAGE); page++) {
    const at = hashes + page * HASH;
    if (!bytes.subarray(at, at + HASH).equals(hashOfPage(bytes, page, codeLimit)))
      throw new Error(`${file} is signed for other content, from page ${page} on`);
  }
}

interface Parts {
  /** Offsets of the load commands in the file. */
  readonly command: number;
  readonly linkEdit: number;
  readonly text: number;
  /** Where the signature begins; everything before is signed. */
  readonly codeLimit: number;
}

const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
/** Segments in memory are rounded to this on both processors. */
const SEGMENT_PAGE = 0x4000;
const HASH = 32;
const SHA256 = 2;
/** Sizes of the fixed parts, in bytes. */
const SUPER_BLOB = 20;
const DIRECTORY = 88;
const SUPER_BLOB_MAGIC = 0xfade0cc0;
const DIRECTORY_MAGIC = 0xfade0c02;
const VERSION = 0x20400;
const AD_HOC_BY_LINKER = 0x20002;
const MAIN_BINARY = 1n;
const IDENTIFIER = "kb\0";

const MACH_O_64 = 0xfeedfacf;
const FIRST_COMMAND = 32;
const SEGMENT_64 = 0x19;
const CODE_SIGNATURE = 0x1d;

function findParts(bytes: Buffer): Parts {
  if (bytes.readUInt32LE(0) !== MACH_O_64) throw new Error("not a 64-bit Mach-O file");
  let at = FIRST_COMMAND;
  const found: Record<string, number> = {};
  for (let left = bytes.readUInt32LE(16); left > 0; left--) {
    const kind = bytes.readUInt32LE(at);
    if (kind === CODE_SIGNATURE) found["command"] = at;
    if (kind === SEGMENT_64) found[bytes.toString("latin1", at + 8, at + 24).replace(/\0.*$/s, "")] = at;
    at += bytes.readUInt32LE(at + 4);
  }
  const { command, __LINKEDIT: linkEdit, __TEXT: text } = found;
  if (command === undefined || linkEdit === undefined || text === undefined)
    throw new Error("a Mach-O file without room for a signature");
  const codeLimit = bytes.readUInt32LE(command + 8);
  if (codeLimit + bytes.readUInt32LE(command + 12) !== bytes.length)
    throw new Error("a Mach-O file whose signature is not its end");
  return { command, linkEdit, text, codeLimit };
}

function writeNumbers(bytes: Buffer, at: number, numbers: readonly number[]): void {
  for (const [offset, number] of numbers.entries()) bytes.writeUInt32BE(number, at + 4 * offset);
}

function hashOfPage(bytes: Buffer, page: number, codeLimit: number): Uint8Array {
  const content = bytes.subarray(page * PAGE, Math.min((page + 1) * PAGE, codeLimit));
  return new Bun.CryptoHasher("sha256").update(content).digest();
}
