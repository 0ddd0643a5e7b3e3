/** The shared libraries are the pinned ones, and send nothing home. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Asset } from "../../src/native/asset-file.ts";
import { describePlatform, findOnnxAssets, findVectorExtension } from "../../src/native/platform.ts";

const libraries: readonly Asset[] = [
  ...Object.values(findOnnxAssets() ?? {}),
  ...[findVectorExtension()].filter((asset) => asset !== undefined),
];
const named = libraries.map((asset) => [asset.name, asset] as const);

describe("the libraries of this platform", () => {
  test.each(named)("have in %s the checksum that is known of it", (_, asset) => {
    const bytes = readFileSync(asset.embeddedPath);
    expect(bytes.length).toBe(asset.size);
    expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(asset.sha256);
  });

  test.each(named)("have no telemetry in %s", (_, asset) => {
    const bytes = readFileSync(asset.embeddedPath);
    const traces = [
      "events.data.microsoft.com",
      "mat-debug",
      "1DSCppSdk",
      "OneCollector",
      "Microsoft/DeviceId",
    ];
    expect(traces.filter((trace) => bytes.includes(trace))).toEqual([]);
  });
});

describe("describePlatform", () => {
  test("names system and processor", () => {
    expect(describePlatform()).toContain(` on ${process.arch}`);
  });
});
