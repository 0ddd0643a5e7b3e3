import { describe, expect, test } from "bun:test";
import { configSchema } from "../../../src/config/schema.ts";
import type { Embedder } from "../../../src/core/embedder.ts";
import { searchIndex } from "../../../src/engine/search/search-index.ts";
import { StageTimes } from "../../../src/engine/search/stage-times.ts";
import { locateVectorExtension } from "../../../src/native/vector-extension.ts";
import { type IndexDatabase, openIndex } from "../../../src/store/open.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

const EXTENSION = locateVectorExtension("/nonexistent");

function openRead(folder: TestFolder): IndexDatabase {
  return openIndex(folder.at(".kb", folder.read(".kb/current").trim()), {
    mode: "read",
    vectorExtensionPath: EXTENSION,
  });
}

/** An embedder whose vectors the test draws itself: an angle per text, the query at 0. */
function angleEmbedder(angleOf: (text: string) => number): Embedder {
  const vectorAt = (degrees: number) => {
    const radians = (degrees * Math.PI) / 180;
    return Float32Array.of(Math.cos(radians), Math.sin(radians));
  };
  return Object.assign(new HashEmbedder({ dims: 2 }), {
    embedQuery: async () => vectorAt(0),
    embedPassages: async (texts: readonly string[]) => texts.map((text) => vectorAt(angleOf(text))),
  });
}

const FILLER =
  "This paragraph is about nothing in particular and is only here to fill the page with words.\n";

describe("searchIndex", () => {
  test("answers from one state of the index although it is written to while the question is embedded", async () => {
    using folder = new TestFolder();
    folder.write("old.md", `The zebra is here.\n${FILLER}`);
    folder.write("other.md", FILLER);
    await indexOnce(folder.path);
    const embedder = new HashEmbedder();
    const engine = testEngine(
      folder.path,
      Object.assign(new HashEmbedder(), {
        async embedQuery(text: string) {
          folder.remove("old.md");
          folder.write("new.md", `A zebra again, in a new file.\n${FILLER}`);
          await indexOnce(folder.path);
          return embedder.embedQuery(text);
        },
      }),
    );
    const { results } = await engine.search({ query: "zebra" });
    await engine.close();
    expect(results.map(({ path }) => path)).toEqual(["new.md", "other.md"]);
    expect(results[0]!.scores.terms).toBeDefined();
  });

  test("embeds nothing when no hit is asked for", async () => {
    using folder = new TestFolder();
    folder.write("a.md", FILLER);
    await indexOnce(folder.path);
    const embedQuery = () => Promise.reject(new Error("embedded"));
    const engine = testEngine(folder.path, Object.assign(new HashEmbedder(), { embedQuery }));
    expect((await engine.search({ query: "paragraph", limit: 0 })).results).toEqual([]);
    await engine.close();
  });

  test("tells where the time went, in stages that follow each other", async () => {
    using folder = new TestFolder();
    folder.write("a.md", FILLER);
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    let ticks = 0;
    const times = new StageTimes(() => ticks++);
    await engine.search({ query: "paragraph" }, { times });
    await engine.close();
    const names = times.stages.map(({ stage }) => stage);
    expect(new Set(names).size).toBe(names.length);
    expect(times.stages.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThan(ticks);
    expect(times.stages.every(({ ms }) => ms >= 0)).toBe(true);
    expect(times.beside.map(({ stage }) => stage)).toEqual(["embedding the question"]);
  });

  test("lets the full text decide the top rank when the vectors prefer another passage", async () => {
    using folder = new TestFolder();
    folder.write(
      "exact.md",
      `# Exact\n\nThe error zygomorphic-47 is raised when the lease has expired already.\n`,
    );
    folder.write("near.md", `# Near\n\n${FILLER}`);
    for (let other = 0; other < 20; other++)
      folder.write(`other-${other}.md`, `# Other ${other}\n\n${FILLER}`);
    const embedder = angleEmbedder((text) =>
      text.includes("zygomorphic") ? 12 : text.startsWith("Near") ? 2 : 60,
    );
    await indexOnce(folder.path, embedder);
    using db = openRead(folder);
    const search = (weights: object) =>
      searchIndex(
        { db, embedder, config: configSchema.parse({ search: { fusion: weights } }) },
        { query: "zygomorphic-47" },
      );
    const dense = await search({ weight_phrases: 0, weight_terms: 0 });
    expect(dense.results[0]?.path).toBe("near.md");
    const both = await search({});
    expect(both.results[0]?.path).toBe("exact.md");
    expect(both.results[0]?.scores.phrases?.rank).toBe(1);
    expect(both.results[0]?.scores.dense?.rank).toBe(2);
  });

  test("expands the phrases in one statement over their union", async () => {
    using folder = new TestFolder();
    folder.write("one.md", "# One\n\n検索基盤の再構築手順について、移行の段取りをここに書いておく。\n");
    folder.write("two.md", "# Two\n\nエンジンの交換と評価の方法について、別の段取りをここに書いておく。\n");
    const embedder = new HashEmbedder();
    await indexOnce(folder.path, embedder);
    using db = openRead(folder);
    const statements: string[] = [];
    db.traceStatements((sql) => statements.push(sql));
    const config = configSchema.parse({});
    const { results, query_info } = await searchIndex(
      { db, embedder, config },
      { query: "再構築手順とエンジンの評価について" },
    );
    expect(query_info.phrases.length).toBeGreaterThan(2);
    expect(statements.filter((sql) => sql.includes("chunk_phrases MATCH"))).toHaveLength(1);
    expect(results.map((hit) => hit.path).sort()).toEqual(["one.md", "two.md"]);
  });

  test("scores a passage without a vector by the legs that could see it, not below the others", async () => {
    using folder = new TestFolder();
    folder.write(
      "a.md",
      `# Early\n\nThe quarterly compaction keeps the ledger small, as agreed in spring.\n`,
    );
    for (let other = 0; other < 20; other++)
      folder.write(`other-${other}.md`, `# Other ${other}\n\n${FILLER}`);
    const embedder = angleEmbedder((text) => (text.includes("compaction") ? 5 : 80));
    await indexOnce(folder.path, embedder);
    folder.write("b.md", `# Late\n\nThe quarterly compaction keeps the ledger small, as agreed in autumn.\n`);
    await indexOnce(folder.path, embedder, { vectors: false });
    using db = openRead(folder);
    const { results } = await searchIndex(
      { db, embedder, config: configSchema.parse({}) },
      { query: "quarterly compaction" },
    );
    const early = results.find((hit) => hit.path === "a.md");
    const late = results.find((hit) => hit.path === "b.md");
    expect(late?.scores.dense).toBeUndefined();
    expect(early?.scores.dense?.rank).toBe(1);
    expect(Math.abs((late?.score ?? 0) - (early?.score ?? 1))).toBeLessThan(0.05);
  });

  test("a glob restricts both legs before any limit", async () => {
    using folder = new TestFolder();
    for (let note = 0; note < 400; note++)
      folder.write(
        `bulk/${note}.md`,
        `# Bulk ${note}\n\nThe lighthouse keeper wrote entry ${note} tonight.\n`,
      );
    folder.write(
      "rare/one.md",
      "# Rare\n\nA lighthouse keeper is mentioned once, at the very end of this sentence.\n",
    );
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    const only = await engine.search({ query: "lighthouse keeper", path_globs: ["rare/**"] });
    const without = await engine.search({
      query: "lighthouse keeper",
      limit: 1000,
      path_globs: ["!bulk/**"],
    });
    await engine.close();
    expect(only.results.map((hit) => hit.path)).toEqual(["rare/one.md"]);
    expect(only.results[0]?.scores.dense?.rank).toBe(1);
    expect(only.filter_applied).toEqual({ path_globs: ["rare/**"] });
    expect(without.results.map((hit) => hit.path)).toEqual(["rare/one.md"]);
  });

  test.each([
    ["", "The query is empty."],
    ["   \u3000", "The query is empty."],
    ["!?、。", "no letters or digits"],
    ["🦀", "no letters or digits"],
  ])("answers the query %p with nothing and a reason", async (query, reason) => {
    using folder = new TestFolder();
    folder.write("a.md", `# A\n\n${FILLER}`);
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    const answer = await engine.search({ query });
    await engine.close();
    expect(answer.results).toEqual([]);
    expect(answer.query_info.reason).toContain(reason);
    expect(answer.degraded).toBeUndefined();
  });

  test("puts a passage that holds the quoted text before one that is merely like it", async () => {
    using folder = new TestFolder();
    folder.write(
      "exact.md",
      `# Notes\n\n${FILLER}The setting is called lease.timeout.grace and belongs to the agent.\n`,
    );
    folder.write(
      "like.md",
      "# Lease timeout\n\nLease timeout, lease timeout grace, grace of the lease: timeout.\n",
    );
    for (let other = 0; other < 20; other++)
      folder.write(`other-${other}.md`, `# Other ${other}\n\n${FILLER}`);
    const embedder = angleEmbedder((text) => (text.startsWith("Lease") ? 2 : 40));
    await indexOnce(folder.path, embedder);
    using db = openRead(folder);
    const search = (query: string) =>
      searchIndex({ db, embedder, config: configSchema.parse({}) }, { query });
    const { results } = await search('"lease.timeout"');
    expect(results[0]?.path).toBe("exact.md");
    expect(results[0]?.score).toBeGreaterThan(results[1]?.score ?? 1);
    expect((await search("lease timeout")).results[0]?.path).toBe("like.md");
    expect((await search('"lease.timeout"')).query_info.not_found).toBeUndefined();
    expect((await search('"lease.timeout" "nowhere at all"')).query_info.not_found).toEqual([
      "nowhere at all",
    ]);
  });

  test("marks a quoted particle", async () => {
    using folder = new TestFolder();
    folder.write("a.md", "# 猫\n\n隣の猫はいつも昼の庭で寝ているが、夜の間は見かけない。\n");
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    const { results } = await engine.search({ query: '"の"' });
    await engine.close();
    expect(results[0]?.match_spans).toHaveLength(3);
  });

  test("finds text without letters literally", async () => {
    using folder = new TestFolder();
    folder.write("crab.md", `# Crab\n\n${FILLER}🦀🦀🦀 marks the release that everybody waited for.\n`);
    folder.write("other.md", `# Other\n\n${FILLER}`);
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    const { results } = await engine.search({ query: "🦀🦀🦀" });
    await engine.close();
    expect(results.map((hit) => hit.path)).toEqual(["crab.md"]);
  });

  test("a limit of 0 gives no hits, one above 1000 is clamped and said", async () => {
    using folder = new TestFolder();
    folder.write("a.md", `# A\n\n${FILLER}`);
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    expect((await engine.search({ query: "paragraph", limit: 0 })).results).toEqual([]);
    expect(
      (await engine.search({ query: "paragraph", limit: 1_000_000 })).query_info.limit_clamped_from,
    ).toBe(1_000_000);
    await engine.close();
  });

  test("leaves stubs out unless the quality filter is off", async () => {
    using folder = new TestFolder();
    folder.write("stub.md", "TODO");
    folder.write(
      "a.md",
      `# A\n\nA TODO list is kept for the harbour, with everything that is left to be done.\n`,
    );
    await indexOnce(folder.path);
    const paths = async () => {
      const engine = testEngine(folder.path);
      const { results } = await engine.search({ query: "TODO" });
      await engine.close();
      return results.map((hit) => hit.path);
    };
    expect(await paths()).toEqual(["a.md"]);
    folder.write("kb.toml", "[quality]\nenabled = false\n");
    expect((await paths()).sort()).toEqual(["a.md", "stub.md"]);
  });

  test("reciprocal rank fusion is a setting", async () => {
    using folder = new TestFolder();
    folder.write("a.md", `# A\n\n${FILLER}`);
    folder.write("kb.toml", '[search.fusion]\nmethod = "rrf"\n');
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    const answer = await engine.search({ query: "paragraph" });
    await engine.close();
    expect(answer.engine.fusion).toBe("rrf");
    expect(answer.results[0]?.score).toBeCloseTo(1 / 61, 6);
  });
});
