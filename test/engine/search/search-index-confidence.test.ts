/** How sure an answer says it is: in folders of any size, for questions of any kind. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SearchRequest } from "../../../src/config/request.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

const BACKUP = "# Backups\n\nThe nightly backup of the orders database is kept for thirty days. See E0499.\n";
const LEAVE = "# 休暇\n\n年次有給休暇は、入社から六か月たった日に十日が付与される。\n";
const OTHERS = [
  "The harbour master signs the manifest before noon.",
  "味噌汁は出汁を取ってから具を煮て、火を止めて味噌を溶く。",
  "Onions are roasted without fat until they are black.",
  "会議は毎週火曜の朝に、三階の小さな部屋で開く。",
];

/** A folder of so many passages, the two above among them where there is room. */
function folderOf(chunks: number): TestFolder {
  const folder = new TestFolder();
  folder.write("backups.md", BACKUP);
  if (chunks > 1) folder.write("休暇.md", LEAVE);
  for (let other = 2; other < chunks; other++)
    folder.write(`other-${other}.md`, `# Note ${other}\n\n${OTHERS[other % OTHERS.length]}\n`);
  return folder;
}

describe.each([1, 2, 5, 20])("in an index of %i passages", (chunks) => {
  describe.each([true, false])("with vectors: %p", (vectors) => {
    let folder: TestFolder;
    let engine: Engine;
    const search = (query: string, more: Partial<SearchRequest> = {}) => engine.search({ query, ...more });

    beforeAll(async () => {
      folder = folderOf(chunks);
      await indexOnce(folder.path, new HashEmbedder(), { vectors });
      engine = testEngine(folder.path);
    });
    afterAll(async () => {
      await engine.close();
      folder[Symbol.dispose]();
    });

    const answered = [
      "nightly backup of the orders database",
      "backup",
      "E0499",
      '"kept for thirty days"',
      ...(chunks > 1 ? ["年次有給休暇はいつ付与されるか", "休暇", "入社", "暇"] : []),
    ];
    test.each(answered)("is sure of %p", async (query) => {
      const { confidence, low_confidence: isLow } = await search(query);
      expect({ isLow, confidence }).toMatchObject({ isLow: false, confidence: { coverage: 1 } });
    });

    test("is sure of a question with a word that the text does not use", async () => {
      const { confidence, low_confidence: isLow } = await search("how long is the orders backup kept");
      expect({ isLow, confidence }).toMatchObject({ isLow: false });
      expect(confidence.coverage).toBeLessThan(1);
    });

    test.each([
      "How do volcanoes erupt?",
      "kubernetes",
      "E0999",
      "E0498 backup",
      '"kept for sixty days" backup',
      "光合成で酸素が発生する場所",
      "株主総会",
      "鯨",
      ...(chunks > 1 ? [] : ["休暇"]),
    ])("is not sure of %p", async (query) => {
      const { confidence, low_confidence: isLow } = await search(query);
      expect({ isLow, confidence }).toMatchObject({ isLow: true });
    });

    test("is as sure of one hit as of many, and of the first page as of the second", async () => {
      const { confidence } = await search("nightly backup");
      for (const limit of [1, 3, 1000])
        expect((await search("nightly backup", { limit })).confidence).toEqual(confidence);
    });

    test("counts a word that no passage has with full weight", async () => {
      const { confidence } = await search("nightly backup");
      const missing = (await search("nightly backup giraffe")).confidence;
      expect(confidence.coverage).toBe(1);
      expect(missing.coverage).toBeLessThan(0.67);
      expect(missing.score).toBeLessThan(confidence.score);
    });
  });
});

describe("agreement", () => {
  test("of all legs on equal hits is no reason for doubt", async () => {
    using folder = new TestFolder();
    for (const name of ["a", "b", "c", "d", "e"]) folder.write(`${name}.md`, BACKUP);
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    const answer = await engine.search({ query: "nightly backup" });
    await engine.close();
    expect(answer.results.map(({ path }) => path)).toEqual(["a.md", "b.md", "c.md", "d.md", "e.md"]);
    expect(answer).toMatchObject({ low_confidence: false, confidence: { agreement: 1, coverage: 1 } });
  });

  test("of one irrelevant hit with itself is no reason for trust", async () => {
    using folder = folderOf(1);
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    const answer = await engine.search({ query: "vaccination before a trip to Kenya" });
    await engine.close();
    expect(answer.results).toHaveLength(1);
    expect(answer.low_confidence).toBe(true);
  });
});

describe("min_confidence_ratio", () => {
  test("withholds an answer below it, says why, and is echoed", async () => {
    using folder = folderOf(5);
    await indexOnce(folder.path);
    const engine = testEngine(folder.path);
    const sure = await engine.search({ query: "nightly backup", min_confidence_ratio: 0.5 });
    const unsure = await engine.search({ query: "volcanoes erupt", min_confidence_ratio: 0.5 });
    const anyway = await engine.search({ query: "volcanoes erupt", min_confidence_ratio: 0 });
    await engine.close();
    expect(sure.results.length).toBeGreaterThan(0);
    expect(sure).toMatchObject({ low_confidence: false, filter_applied: { min_confidence_ratio: 0.5 } });
    expect(unsure).toMatchObject({
      results: [],
      low_confidence: true,
      filter_applied: { min_confidence_ratio: 0.5 },
    });
    expect(unsure.query_info.reason).toContain(`confidence of ${unsure.confidence.score}, below the 0.5`);
    expect(anyway.results.length).toBeGreaterThan(0);
    expect(anyway.low_confidence).toBe(false);
  });

  test("as a setting moves the border of what is marked, and withholds nothing", async () => {
    using folder = folderOf(5);
    await indexOnce(folder.path);
    const flags: boolean[] = [];
    for (const border of [0, 1]) {
      folder.write("kb.toml", `[search]\nmin_confidence_ratio = ${border}\n`);
      const engine = testEngine(folder.path);
      const answer = await engine.search({ query: "volcanoes erupt" });
      await engine.close();
      expect(answer.results.length).toBeGreaterThan(0);
      expect(answer.filter_applied).toEqual({});
      flags.push(answer.low_confidence);
    }
    expect(flags).toEqual([false, true]);
  });
});
