/** When the question has no vector: it is unknown to the model, or there is no runtime for it. */
import { describe, expect, test } from "bun:test";
import type { Embedder } from "../../../src/core/embedder.ts";
import { AppError } from "../../../src/errors.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

const FILLER = "This paragraph is about nothing in particular and is only here to fill the page.\n";

describe("searchIndex", () => {
  test("goes on with the words when the query cannot be embedded, and says so", async () => {
    using folder = new TestFolder();
    folder.write(
      "a.md",
      `# A\n\nThe harbour master signs the manifest before noon, whatever the weather is.\n`,
    );
    await indexOnce(folder.path);
    const broken: Embedder = Object.assign(new HashEmbedder(), {
      embedQuery: () =>
        Promise.reject(new AppError("model", "the runtime is missing", { hint: "Set KB_CACHE_DIR." })),
    });
    const engine = testEngine(folder.path, broken);
    const answer = await engine.search({ query: "harbour master" });
    await engine.close();
    expect(answer.results[0]?.path).toBe("a.md");
    expect(answer.degraded).toBe("dense");
    expect(answer.degraded_reason).toContain("the runtime is missing");
    expect(answer.degraded_reason).toContain("KB_CACHE_DIR");
  });

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
