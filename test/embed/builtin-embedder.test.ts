/** The real model on the real runtimes: the contract, and a little of what it understands. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openBuiltinEmbedder } from "../../src/embed/builtin-embedder.ts";
import { describeEmbedderContract } from "../contract/embedder-contract.ts";

setDefaultTimeout(60_000);

const options = { cacheFolder: "/nonexistent", queryThreads: 1, workers: 2 };

describeEmbedderContract("the built-in model", () => openBuiltinEmbedder(options));
describeEmbedderContract("the built-in model as WebAssembly", () =>
  openBuiltinEmbedder({ ...options, runtime: "wasm" }),
);

describe("openBuiltinEmbedder", () => {
  const embedder = openBuiltinEmbedder(options);
  afterAll(() => embedder.close());

  test.each([
    ["パスワードを忘れた", "ログインできないときの再設定手順", "夏野菜のカレーの作り方"],
    ["how do I restore a backup", "Recovering data from a saved copy", "The history of Italian opera"],
    ["犬の散歩の時間", "How long to walk your dog each day", "Quarterly revenue by region"],
    ["database connection refused", "DB サーバーに接続できない場合の対処", "桜の開花予想"],
  ])("finds %p nearer to a paraphrase than to something else", async (query, near, far) => {
    const vector = await embedder.embedQuery(query);
    const [nearVector, farVector] = await embedder.embedPassages([near, far]);
    expect(dot(vector, nearVector!)).toBeGreaterThan(dot(vector, farVector!) + 0.02);
  });

  test("counts prefix and marks as tokens of a passage", () => {
    expect(embedder.countPassageTokens("")).toBeGreaterThan(2);
  });

  test("says what runs it: expected at first, found out when asked", () => {
    expect(embedder.runtime).toEqual(embedder.findRuntime());
    expect(openBuiltinEmbedder({ ...options, runtime: "wasm" }).runtime.name).toContain("WebAssembly");
  });

  test("can be closed without having been used, and twice", async () => {
    const unused = openBuiltinEmbedder(options);
    await unused.close();
    await unused.close();
  });
});

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
