/** Either runtime: how it is chosen, and that both make the same vectors of the same texts. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { BUILTIN_IDENTITY } from "../../src/embed/builtin-model.ts";
import { chooseRuntime, expectedRuntime } from "../../src/embed/runtime-choice.ts";
import { openTextEncoder } from "../../src/embed/text-encoder.ts";
import { loadJudgedQueries } from "../quality/judged-set.ts";

setDefaultTimeout(60_000);

describe("chooseRuntime", () => {
  test("takes the native library where it loads, with nothing to say about it", () => {
    const { files, runtime } = chooseRuntime("/nonexistent", undefined);
    expect(files.runtime).toBe("native");
    expect(runtime).toEqual({ name: "onnxruntime-node 1.27.0" });
  });

  test("takes WebAssembly where it is asked for, and says so without calling it a problem", () => {
    const { files, runtime } = chooseRuntime("/nonexistent", "wasm");
    expect(files.runtime).toBe("wasm");
    expect(runtime).toEqual({
      name: "onnxruntime-web 1.27.0 (WebAssembly)",
      reason: expect.stringContaining("KB_RUNTIME"),
    });
  });
});

describe("expectedRuntime", () => {
  test.each([undefined, "native", "wasm"] as const)("names what is then chosen for %p", (wanted) => {
    expect(expectedRuntime(wanted).name).toBe(chooseRuntime("/nonexistent", wanted).runtime.name);
  });
});

describe("both runtimes", async () => {
  const encoders = await Promise.all(
    (["native", "wasm"] as const).map((runtime) =>
      openTextEncoder(chooseRuntime("/nonexistent", runtime).files, { threads: 1 }),
    ),
  );
  afterAll(() => {
    for (const encoder of encoders) encoder.close();
  });

  const cosine = (text: string, role: "query" | "passage") => {
    const [native, wasm] = encoders.map((encoder) => encoder.encode(text, role));
    return native!.reduce((sum, value, index) => sum + value * wasm![index]!, 0);
  };

  test("make vectors of the judged queries that cannot be told apart by searching", () => {
    // Every third: all kinds of queries, in a third of the time.
    const queries = loadJudgedQueries()
      .filter((_, offset) => offset % 3 === 0)
      .map(({ query }) => query);
    expect(queries.length).toBeGreaterThanOrEqual(60);
    const far = queries.map((query) => ({ query, cosine: cosine(query, "query") }));
    expect(far.filter((pair) => !(pair.cosine >= 0.999))).toEqual([]);
  });

  test.each([
    ["empty", ""],
    ["one character", "税"],
    ["code", "for (const [key, value] of Object.entries(map)) if (!seen.has(key)) seen.add(key);"],
    ["SQL", "SELECT path, count(*) FROM chunks GROUP BY path HAVING count(*) > 1;"],
    ["a log line", "2026-11-30T04:12:09Z ERROR pool-3 o.a.Connection: lease expired (code=E4012)"],
    ["emoji", "🗼👨‍👩‍👧‍👦 🎉🎉"],
    ["width", "ＡＰＩ の ﾃﾞｰﾀ ㈱"],
    ["unknown characters", "𒀀𒁀𒂀"],
    ["another language", "Где хранятся резервные копии?"],
    ["a table", "| host | port |\n| --- | --- |\n| db-1 | 5432 |\n| db-2 | 5433 |"],
    ["long Japanese", "索引はファイルが変わると作り直される。検索は三つの段階からなる。".repeat(16)],
    ["long English", "The index is rebuilt when a file changes, and a backup is kept. ".repeat(18)],
    ["long and mixed", "設定 `kb.toml` の search.limit は 5 です。 Set it higher for scripts. ".repeat(12)],
  ])("make the same vector of a passage that is %s", (_, text) => {
    expect(cosine(text, "passage")).toBeGreaterThanOrEqual(0.999);
  });

  test("share one identity, so that an index does not ask which made it", () => {
    expect(JSON.stringify(BUILTIN_IDENTITY)).not.toMatch(/native|wasm|onnxruntime/i);
  });
});
