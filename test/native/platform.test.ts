/** The shared libraries are the pinned ones, and send nothing home. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { describePlatform, findOnnxAssets, findVectorExtension } from "../../src/native/platform.ts";

const onnx = findOnnxAssets();
const assets = [onnx?.binding, onnx?.runtime, findVectorExtension()].filter((asset) => asset !== undefined);

describe("the libraries of this platform", () => {
  test.each(assets.map((asset) => [asset.name, asset] as const))("include %s as pinned", (_, asset) => {
    const bytes = readFileSync(asset.embeddedPath);
    expect(bytes.length).toBe(asset.size);
    expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(asset.sha256);
  });

  test.each(assets.map((asset) => [asset.name, asset] as const))("have no telemetry in %s", (_, asset) => {
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

  test.if(process.platform === "linux" && process.arch === "x64")("are all there on Linux x64", () => {
    expect(assets.map((asset) => asset.name)).toEqual([
      "onnxruntime_binding.node",
      "libonnxruntime.so.1",
      "vec0.so",
    ]);
  });
});

describe("describePlatform", () => {
  test("names system and processor", () => {
    expect(describePlatform()).toContain(` on ${process.arch}`);
  });
});

describe("describePlatform", () => {
  test("names system and processor", () => {
    expect(describePlatform()).toContain(` on ${process.arch}`);
  });
});
