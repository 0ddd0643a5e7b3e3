/** When the question has no vector: it is unknown to the model, or there is no runtime for it. */
import { describe, expect, test } from "bun:test";
import type { Embedder } from "../../src/core/embedder.ts";
import { AppError } from "../../src/errors.ts";
import { HashEmbedder } from "../support/hash-embedder.ts";
import { indexOnce, testEngine } from "../support/test-engine.ts";
import { TestFolder } from "../support/test-folder.ts";

const FILLER = "This paragraph is about nothing in particular and is only here to fill the page.\n";

describe("searchIndex", () => {
  test("leaves a query of unknown characters to the words, and says so", async () => {
    using folder = new TestFolder();
    folder.write("a.md", `# A\n\nThe sign 𒀀𒁀𒂀 stands for water on the tablet from the harbour.\n`);
    folder.write("b.md", `# B\n\n${FILLER}`);
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    const unknown = await engine.search({ query: "𒀀𒁀𒂀" });
    const mixed = await engine.search({ query: "𒀀 tablet" });
    await engine.close();
    expect(unknown.results.map(({ path }) => path)).toEqual(["a.md"]);
    expect(unknown.degraded).toBe("dense");
    expect(unknown.degraded_reason).toContain("does not know");
    expect(mixed.degraded).toBeUndefined();
  });

  test("a runtime that was asked for and does not load is an error, not a lesser answer", async () => {
    using folder = new TestFolder();
    folder.write("a.md", `# A\n\n${FILLER}`);
    await indexOnce(folder.path);
    const refusing: Embedder = Object.assign(new HashEmbedder(), {
      embedQuery: () => Promise.reject(new AppError("config", "KB_RUNTIME is native, which does not load")),
    });
    const engine = testEngine(folder.path, refusing);
    await expect(engine.search({ query: "paragraph" })).rejects.toMatchObject({ code: "config" });
    await engine.close();
  });
});
