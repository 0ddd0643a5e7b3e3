/** The shared libraries are the pinned ones, and send nothing home. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { getNativeAssets } from "../../src/native/platform.ts";

describe("getNativeAssets", () => {
  const assets = Object.values(getNativeAssets());

  test.each(assets.map((asset) => [asset.name, asset] as const))("knows the checksum of %s", (_, asset) => {
    const bytes = readFileSync(asset.embeddedPath);
    expect(bytes.length).toBe(asset.size);
    expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(asset.sha256);
  });

  test.each(assets.map((asset) => [asset.name, asset] as const))("finds no telemetry in %s", (_, asset) => {
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
