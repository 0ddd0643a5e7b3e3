/** Whether passages are indexed with what stands above them, and what a change of that does. */
import { describe, expect, test } from "bun:test";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

describe("a change of the contextual mode", () => {
  test("makes chunks and vectors anew, without or with what stands above a text", async () => {
    using folder = new TestFolder();
    folder.write(
      "keys/spare.md",
      "# Lighthouse\n\nThe spare key hangs behind the door of the boiler room.\n",
    );
    const embedder = new HashEmbedder();
    const search = async () => {
      const engine = testEngine(folder.path, embedder);
      const [hit] = (await engine.search({ query: "Lighthouse" })).results;
      await engine.close();
      return hit!;
    };
    await indexOnce(folder.path, embedder);
    expect(embedder.embeddedPassages.every((text) => text.includes("Lighthouse"))).toBe(true);
    expect((await search()).matched_in).toContain("context");

    folder.write("kb.toml", "[contextual]\nenabled = false\n");
    const seen = embedder.embeddedPassages.length;
    const off = await indexOnce(folder.path, embedder);
    expect(off).toMatchObject({ updated: 1, vectors: { coverage: 1 } });
    const embedded = embedder.embeddedPassages.slice(seen);
    expect(embedded.length).toBeGreaterThan(0);
    expect(embedded.some((text) => text.includes("Lighthouse"))).toBe(false);
    expect((await search()).matched_in).not.toContain("context");
    expect(await indexOnce(folder.path, embedder)).toMatchObject({ updated: 0, unchanged: 1 });

    folder.remove("kb.toml");
    expect(await indexOnce(folder.path, embedder)).toMatchObject({ updated: 1, vectors: { coverage: 1 } });
    expect((await search()).matched_in).toContain("context");
  });
});
