import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { tryModel } from "../../src/embed/model-trial.ts";
import { REFERENCE_VECTORS } from "../../src/embed/reference-vectors.ts";

setDefaultTimeout(60_000);

describe("tryModel", () => {
  test.each(["native", "wasm"] as const)(
    "finds that the %s runtime makes the vectors it should",
    async (runtime) => {
      const trial = await tryModel("/nonexistent", runtime);
      expect(trial).toMatchObject({ isRight: true, texts: 2 });
      expect(trial.cosine).toBeGreaterThan(0.999);
      expect(trial.runtime.name).toContain(runtime === "native" ? "onnxruntime-node" : "WebAssembly");
    },
  );
});

describe("REFERENCE_VECTORS", () => {
  test("are of one Japanese and one English text, and differ more than a trial lets pass", () => {
    const [japanese, english] = REFERENCE_VECTORS.map(
      ({ bytes }) => new Int8Array(Buffer.from(bytes, "base64")),
    );
    expect(japanese).toHaveLength(384);
    expect(english).toHaveLength(384);
    const dot = japanese!.reduce((sum, value, at) => sum + value * english![at]!, 0);
    expect(dot / (Math.hypot(...japanese!) * Math.hypot(...english!))).toBeLessThan(0.9);
  });
});
