/**
 * What an executable really holds, read from its bytes.
 *
 * In go the executable and the files it should hold; out comes nothing, or a failure that
 * says what is missing and what should not be there. Each file must be in it whole, and
 * no other file may be: so the libraries of one platform never travel to another.
 */
import { readFileSync } from "node:fs";
import type { Asset } from "../../src/native/asset-file.ts";

/** @throws {Error} Naming each file that is missing, damaged or too many. */
export function checkContents(executable: string, expected: readonly Asset[]): void {
  const bytes = readFileSync(executable);
  const missing = expected.filter((asset) => !bytes.includes(readFileSync(asset.embeddedPath)));
  const wanted = new Set(expected.map((asset) => stemOf(asset.name)));
  const surplus = listEmbeddedFiles(bytes).filter((name) => !wanted.has(stemOf(name)));
  if (missing.length + surplus.length === 0) return;
  const problems = [
    ...missing.map((asset) => `${asset.name} (${asset.sha256}) is not in it whole`),
    ...surplus.map((name) => `${name} is in it and should not be`),
  ];
  throw new Error(`${executable}: ${problems.join("; ")}`);
}

/** @throws {Error} If the file to be embedded is not the one whose checksum is pinned. */
export function checkAsset({ name, embeddedPath, sha256, size }: Asset): void {
  const bytes = readFileSync(embeddedPath);
  const actual = sha256Of(bytes);
  if (actual !== sha256 || bytes.length !== size) {
    throw new Error(
      `${name} has ${bytes.length} bytes and SHA-256 ${actual}; expected ${size} and ${sha256}`,
    );
  }
}

/** Lower-case hex. */
export function sha256Of(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** Where Bun keeps what is embedded: on Windows, and elsewhere. */
const PLACES = ["~BUN/root/", "$bunfs/root/"];

/** `libonnxruntime.so.1` is kept as `libonnxruntime.so-1a2b3c4d.1`, `vec0.so` as `vec0-1a2b3c4d.so`. */
const EMBEDDED_NAME = /^([\w.]+?(?:-\w+)*)-[0-9a-z]{8}\.(\w+)(?![\w.])/;

/** Names of files that are no code, with Bun's hash in them. */
function listEmbeddedFiles(bytes: Buffer): string[] {
  const names = new Set<string>();
  for (const place of PLACES) {
    for (let at = bytes.indexOf(place); at !== -1; at = bytes.indexOf(place, at + 1)) {
      const text = bytes.toString("latin1", at + place.length, at + place.length + 200);
      const found = EMBEDDED_NAME.exec(text);
      if (found !== null && found[2] !== "js") names.add(found[0]);
    }
  }
  return [...names].sort();
}

/** What is left of a name without endings and Bun's hash; no two files of one executable share it. */
function stemOf(name: string): string {
  return name.replace(/-[0-9a-z]{8}(?=\.\w+$)/, "").replace(/\.(?:so|dylib|dll|node|ort|bin|wasm)\b.*$/, "");
}
