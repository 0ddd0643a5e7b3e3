/**
 * A process of its own that unpacks one file: for races, and for runs without privileges.
 *
 * Arguments: the file to unpack, the cache folder, the fallback's parent, how many
 * threads, and the user id to unpack as. Rights are put down only here, because the
 * checkout, and Bun in it, may stand where another user cannot reach them.
 * Prints the path each thread got, or the failure as JSON.
 */
import { readFileSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { AppError } from "../../src/errors.ts";
import { extractAssets } from "../../src/native/extract.ts";

const [source = "", cacheFolder = "", temporaryFolder = "", threads = "1", uid] = process.argv.slice(2);
const bytes = readFileSync(source);
const asset = {
  name: basename(source),
  embeddedPath: source,
  sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
  size: bytes.length,
};

if (Bun.isMainThread) {
  for (let started = 1; started < Number(threads); started++)
    new Worker(import.meta.url, { argv: process.argv.slice(2) });
}
if (uid !== undefined) {
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
try {
  print(extractAssets([asset], cacheFolder, temporaryFolder)[0]!);
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  print(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));
}

/** At once: what a thread gives to `console.log` may be lost when the process ends. */
function print(line: string): void {
  writeSync(1, `${line}\n`);
}
