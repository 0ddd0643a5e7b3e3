/** The two files of the built-in model are the ones its identity speaks of. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { BUILTIN_IDENTITY, MODEL_ASSET, TOKENIZER_ASSET } from "../../src/embed/builtin-model.ts";

describe.each([MODEL_ASSET, TOKENIZER_ASSET])("$name", (asset) => {
  test("has the stated size and checksum", () => {
    const bytes = readFileSync(asset.embeddedPath);
    expect(bytes.length).toBe(asset.size);
    expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(asset.sha256);
  });
});

describe("BUILTIN_IDENTITY", () => {
  test("changes with the model file", () => {
    expect(BUILTIN_IDENTITY.revision).toBe(MODEL_ASSET.sha256);
  });
});
