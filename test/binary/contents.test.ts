/** What the build finds out about the executables it made. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { checkAsset, checkContents, sha256Of } from "../../scripts/build/contents.ts";
import { checkSignature, signAdHoc } from "../../scripts/build/mach-o-signature.ts";
import { hostTarget } from "../../scripts/build/targets.ts";
import { MODEL_ASSET, TOKENIZER_ASSET } from "../../src/embed/builtin-model.ts";
import type { Asset } from "../../src/native/asset-file.ts";
import { WASM_RUNTIME } from "../../src/native/wasm-runtime.ts";
import { BINARY } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

const { onnx, vectorExtension } = await hostTarget().loadLibraries();
const libraries = [onnx?.binding, onnx?.runtime, vectorExtension].filter((asset) => asset !== undefined);
const inside: readonly Asset[] = [MODEL_ASSET, TOKENIZER_ASSET, WASM_RUNTIME, ...libraries];

describe("checkContents", () => {
  test("finds each file whole in the executable, and no other", () => {
    expect(() => checkContents(BINARY, inside)).not.toThrow();
  });

  test.each(inside.map((asset) => asset.name))("objects to %s when nobody asked for it", (name) => {
    const others = inside.filter((asset) => asset.name !== name);
    expect(() => checkContents(BINARY, others)).toThrow("is in it and should not be");
  });

  test("misses a file that is not there", () => {
    using folder = new TestFolder();
    const embeddedPath = folder.write("vec1.so", "never embedded by anybody");
    const asset = { name: "vec1.so", embeddedPath, sha256: "0".repeat(64), size: 25 };
    expect(() => checkContents(BINARY, [...inside, asset])).toThrow("vec1.so");
  });
});

describe("checkAsset", () => {
  test("refuses other bytes than the pinned ones", () => {
    using folder = new TestFolder();
    const embeddedPath = folder.write("lib.so", "library");
    const asset = { name: "lib.so", embeddedPath, sha256: sha256Of(Buffer.from("library")), size: 7 };
    expect(() => checkAsset(asset)).not.toThrow();
    expect(() => checkAsset({ ...asset, size: 8 })).toThrow("lib.so has 7 bytes");
    expect(() => checkAsset({ ...asset, sha256: "0".repeat(64) })).toThrow("expected 7 and 0000");
  });
});

describe("signAdHoc", () => {
  test("makes a signature that fits the content, and only that", () => {
    using folder = new TestFolder();
    const file = folder.write("program", smallMachO(10_000));
    expect(() => checkSignature(file)).toThrow("no signature");
    signAdHoc(file);
    checkSignature(file);
    const once = readFileSync(file);
    signAdHoc(file);
    expect(readFileSync(file).equals(once)).toBe(true);
    for (const page of [0, 1, 2]) {
      const changed = Buffer.from(once);
      changed.writeUInt8(0xff, page * 4096 + 400);
      writeFileSync(file, changed);
      expect(() => checkSignature(file)).toThrow(`from page ${page} on`);
    }
  });

  test("refuses what is no such executable", () => {
    using folder = new TestFolder();
    expect(() => signAdHoc(folder.write("script", "#!/bin/sh\necho hello to everybody\n"))).toThrow("Mach-O");
  });
});

/** A header, two segments and room for a signature of 64 bytes after `size` bytes. */
function smallMachO(size: number): Uint8Array {
  const bytes = Buffer.alloc(size + 64);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(3, 16);
  for (const [at, name] of [
    [32, "__TEXT"],
    [104, "__LINKEDIT"],
  ] as const) {
    bytes.writeUInt32LE(0x19, at);
    bytes.writeUInt32LE(72, at + 4);
    bytes.write(name, at + 8, "latin1");
  }
  bytes.writeUInt32LE(0x1d, 176);
  bytes.writeUInt32LE(16, 180);
  bytes.writeUInt32LE(size, 184);
  bytes.writeUInt32LE(64, 188);
  return bytes;
}
