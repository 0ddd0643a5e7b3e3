/**
 * What becomes of the ranking: grouped, varied, widened, explained.
 */
import { describe, expect, test } from "bun:test";
import type { SearchRequest } from "../../../src/config/request.ts";
import { configSchema } from "../../../src/config/schema.ts";
import type { Embedder } from "../../../src/core/embedder.ts";
import type { Hit } from "../../../src/engine/search/search-answer.ts";
import { searchIndex } from "../../../src/engine/search/search-index.ts";
import { locateVectorExtension } from "../../../src/native/vector-extension.ts";
import { type IndexDatabase, openIndex } from "../../../src/store/open.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { indexOnce } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

const EXTENSION = locateVectorExtension("/nonexistent");

function openRead(folder: TestFolder): IndexDatabase {
  return openIndex(folder.at(".kb", folder.read(".kb/current").trim()), {
    mode: "read",
    vectorExtensionPath: EXTENSION,
  });
}

/** Searches an indexed folder; the settings are those of `[search]`. */
function searchOf(db: IndexDatabase, embedder: Embedder = new HashEmbedder()) {
  return (request: SearchRequest, settings: object = {}) =>
    searchIndex({ db, embedder, config: configSchema.parse({ search: settings }) }, request);
}

const FILLER =
  "This paragraph is about nothing in particular and is only here to fill the page with many plain words that say little.";

/** A document of sections, each of one sentence that is in no other, repeated words apart. */
function longDocument(name: string, sections: number, word = "zebra"): string {
  const parts = Array.from(
    { length: sections },
    (_, at) =>
      `## Part ${at}\n\n${Array.from({ length: 12 }, (__, line) => `Sentence ${name}${at}x${line} tells of the ${word} again and of its stripes.`).join(" ")}\n`,
  );
  return `# Book ${name}\n\n${parts.join("\n")}`;
}

function linesOverlap(a: Hit, b: Hit): boolean {
  return a.lines.start <= b.lines.end && b.lines.start <= a.lines.end;
}

describe("grouping", () => {
  test("finds the documents behind one that fills the pool, and says where else it matches", async () => {
    using folder = new TestFolder();
    folder.write("crowd.md", longDocument("a", 260));
    for (const name of ["x", "y", "z"])
      folder.write(`${name}.md`, `# ${name}\n\nOne zebra. ${FILLER} ${FILLER}`);
    await indexOnce(folder.path);
    using db = openRead(folder);
    const search = searchOf(db);
    const legs = { fusion: { weight_dense: 0 } };
    const alone = await search({ query: "zebra stripes", limit: 4, group_by: "none" }, legs);
    expect(alone.results.map(({ path }) => path)).toEqual(Array(4).fill("crowd.md"));
    const { results } = await search({ query: "zebra stripes", limit: 4, group_by: "document" }, legs);
    expect(results.map(({ path }) => path)).toEqual(["crowd.md", "x.md", "y.md", "z.md"]);
    expect(results[0]!.grouped).toHaveLength(10);
    expect(results[1]!.grouped).toBeUndefined();
    const [first, second] = results[0]!.grouped!;
    expect(first!.score).toBeGreaterThanOrEqual(second!.score);
    const again = alone.results.find(({ chunk_index }) => chunk_index === first!.chunk_index);
    expect(first!.lines).toEqual(again!.lines);
  });

  test("does not name again what a widened hit shows", async () => {
    using folder = new TestFolder();
    folder.write("a.md", longDocument("a", 6));
    await indexOnce(folder.path);
    using db = openRead(folder);
    const search = searchOf(db);
    const request = { query: "zebra stripes", group_by: "document" } as const;
    const [plain] = (await search(request)).results;
    const parent = { max_expanded_tokens: 3 * 256 };
    const [widened] = (await search({ ...request, parent_retriever: true }, { parent })).results;
    const from = widened!.expanded_from;
    if (from?.kind !== "adjacent") throw new Error(`widened to ${from?.kind}`);
    const indexes = (hit: Hit | undefined) => hit!.grouped!.map(({ chunk_index: index }) => index);
    expect(indexes(widened)).toEqual(
      indexes(plain).filter((index) => index < from.from_index || index > from.to_index),
    );
    expect(from.to_index).toBeGreaterThan(from.from_index);
  });

  test("counts documents by the limit and ends where there are no more", async () => {
    using folder = new TestFolder();
    for (const name of ["a", "b", "c"]) folder.write(`${name}.md`, longDocument(name, 3));
    await indexOnce(folder.path);
    using db = openRead(folder);
    const search = searchOf(db);
    const paths = async (limit: number) =>
      (await search({ query: "zebra", limit }, { group_by: "document" })).results.map(({ path }) => path);
    expect(new Set(await paths(2)).size).toBe(2);
    expect((await paths(1000)).toSorted()).toEqual(["a.md", "b.md", "c.md"]);
  });
});

describe("variety", () => {
  /** The angle is what follows `angle` in the text, the question is at 0. */
  const embedder = Object.assign(new HashEmbedder({ dims: 2 }), {
    embedQuery: async () => Float32Array.of(1, 0),
    embedPassages: async (texts: readonly string[]) =>
      texts.map((text) => {
        const radians = (Number(/angle (-?\d+)/.exec(text)?.[1] ?? 80) * Math.PI) / 180;
        return Float32Array.of(Math.cos(radians), Math.sin(radians));
      }),
  });
  const dense = { fusion: { weight_terms: 0, weight_phrases: 0 } };

  test("lets what says the same wait, with its own score, and drops nothing", async () => {
    using folder = new TestFolder();
    for (const angle of [5, 6, 7, -30]) folder.write(`at${angle}.md`, `# Note\n\nangle ${angle}. ${FILLER}`);
    await indexOnce(folder.path, embedder);
    using db = openRead(folder);
    const search = searchOf(db, embedder);
    const plain = await search({ query: "note" }, dense);
    expect(plain.results.map(({ path }) => path)).toEqual(["at5.md", "at6.md", "at7.md", "at-30.md"]);
    const varied = await search({ query: "note", mmr: true, mmr_lambda: 0.1 }, dense);
    expect(varied.results.map(({ path }) => path)).toEqual(["at5.md", "at-30.md", "at6.md", "at7.md"]);
    const scoreOf = new Map(plain.results.map(({ path, score }) => [path, score]));
    for (const { path, score } of varied.results) expect(score).toBe(scoreOf.get(path)!);
    const all = await search({ query: "note", limit: 1000 }, { ...dense, mmr: { enabled: true, lambda: 1 } });
    expect(all.results).toEqual(plain.results);
  });

  test("keeps a passage without a vector", async () => {
    using folder = new TestFolder();
    folder.write("a.md", `# Zebra\n\nangle 0. ${FILLER}`);
    await indexOnce(folder.path, embedder);
    folder.write("b.md", `# Zebra\n\nNot embedded yet. ${FILLER}`);
    await indexOnce(folder.path, embedder, { vectors: false });
    using db = openRead(folder);
    const { results } = await searchOf(db, embedder)({ query: "zebra", mmr: true });
    expect(results.map(({ path }) => path).toSorted()).toEqual(["a.md", "b.md"]);
  });

  test("says which arguments have no effect", async () => {
    using folder = new TestFolder();
    folder.write("a.md", `# Zebra\n\nangle 0. ${FILLER}`);
    await indexOnce(folder.path, embedder);
    using db = openRead(folder);
    const search = searchOf(db, embedder);
    expect((await search({ query: "zebra", mmr_lambda: 0.5 })).query_info.ignored).toEqual(["mmr_lambda"]);
    expect((await search({ query: "zebra", mmr_lambda: 0.5, mmr: true })).query_info.ignored).toBeUndefined();
  });
});

describe("widening", () => {
  test("shows no sentence twice, nothing that is not in the file, and changes neither score nor order", async () => {
    using folder = new TestFolder();
    const texts = new Map<string, string>(
      [8, 3, 1].map((sections, at) => [`doc${at}.md`, longDocument(`d${at}s`, sections)] as const),
    );
    texts.set(
      "one-line.md",
      `# One\n\n${longDocument("q", 9)
        .replaceAll(/\n+## Part \d+\n+/g, " ")
        .slice(8)}`,
    );
    for (const [path, text] of texts) folder.write(path, text);
    await indexOnce(folder.path);
    using db = openRead(folder);
    const search = searchOf(db);
    for (const maxTokens of [300, 900, 2000])
      for (const limit of [2, 5, 12, 40]) {
        const request = { query: "zebra stripes", limit };
        const plain = (await search(request)).results;
        const parent = { whole_doc_threshold_tokens: 100, max_expanded_tokens: maxTokens };
        const { results } = await search({ ...request, parent_retriever: true }, { parent });
        const keyOf = ({ path, chunk_index, score, heading }: Hit) => [path, chunk_index, score, heading];
        expect(results.map(keyOf)).toEqual(plain.map(keyOf));
        for (const hits of Map.groupBy(results, ({ path }) => path).values()) {
          const source = texts.get(hits[0]!.path)!;
          const shown = hits.flatMap(({ content }) => content.match(/Sentence \w+ tells[^.]*\./g) ?? []);
          expect(new Set(shown).size).toBe(shown.length);
          for (const hit of hits) {
            expect(source).toContain(hit.content);
            const lines = source.split("\n").slice(hit.lines.start - 1, hit.lines.end);
            expect(lines.join("\n")).toContain(hit.content);
            expect(hit.expanded_from).toBeDefined();
            for (const { start, end } of hit.match_spans ?? [])
              expect(Buffer.from(hit.content).toString("utf8", start, end)).toMatch(/zebra|stripes/);
          }
          if (hits[0]!.path !== "one-line.md")
            expect(hits.filter((a, at) => hits.slice(at + 1).some((b) => linesOverlap(a, b)))).toEqual([]);
        }
      }
  });

  test("shows a short passage with its whole document, headings and all", async () => {
    using folder = new TestFolder();
    const note = `# Keys\n\n## Front door\n\n${FILLER} ${FILLER} ${FILLER}\n\n## Back door ##\n\nThe zebra key. ${FILLER} ${FILLER}\n`;
    folder.write("keys.md", note);
    await indexOnce(folder.path);
    using db = openRead(folder);
    const [hit] = (await searchOf(db)({ query: '"zebra key"', parent_retriever: true, limit: 1 })).results;
    expect(hit).toMatchObject({
      content: note.trim(),
      lines: { start: 1, end: 9 },
      expanded_from: { kind: "whole_document", total_chunks: 2 },
      heading: "Back door",
    });
  });

  test("tells a small document of one passage from a large one that cannot grow", async () => {
    using folder = new TestFolder();
    folder.write(
      "small.md",
      `# Small

One zebra. ${FILLER}
`,
    );
    folder.write(
      "large.md",
      `# Large

One zebra. ${FILLER} ${FILLER}
`,
    );
    await indexOnce(folder.path);
    using db = openRead(folder);
    const sizes = db.all<{ readonly tokens: number }>("SELECT token_count AS tokens FROM chunks ORDER BY 1");
    const parent = { whole_doc_threshold_tokens: sizes[0]!.tokens + 1 };
    const { results } = await searchOf(db)({ query: "zebra", parent_retriever: true }, { parent });
    expect(new Map(results.map(({ path, expanded_from }) => [path, expanded_from]))).toEqual(
      new Map([
        ["small.md", { kind: "whole_document", total_chunks: 1 }],
        ["large.md", { kind: "adjacent", from_index: 0, to_index: 0 }],
      ]),
    );
  });
});

describe("explanations", () => {
  test.each([
    ["a question", "which zebra has stripes at night"],
    ["a name", "zebra-47"],
    ["a quotation", '"zebra again" "no such text" stripes'],
    ["a common word", "the"],
    ["Japanese", "縞模様の馬"],
  ])("add up to the score, for %s and both kinds of fusion", async (_, query) => {
    using folder = new TestFolder();
    folder.write("a.md", longDocument("a", 4));
    folder.write("b.md", `# 馬\n\n縞模様の馬についての短い記録です。zebra-47 も参照。\n`);
    await indexOnce(folder.path);
    folder.write("c.md", `# Later\n\nA zebra without a vector. ${FILLER}`);
    await indexOnce(folder.path, new HashEmbedder(), { vectors: false });
    using db = openRead(folder);
    for (const method of ["convex", "rrf"]) {
      const answer = await searchOf(db)({ query, explain: true, limit: 20 }, { fusion: { method } });
      expect(answer.explain?.order).toBe("score");
      expect(answer.results.length).toBeGreaterThan(0);
      for (const { score, explain, scores } of answer.results) {
        const legs = Object.values(explain!.legs);
        const sum = legs.reduce((total, { contribution }) => total + contribution, 0);
        expect(sum + (explain!.quoted?.contribution ?? 0)).toBeCloseTo(score, 10);
        expect(Object.keys(explain!.legs).toSorted()).toEqual(Object.keys(scores).toSorted());
      }
    }
  });

  test("tell what weighed, what was looked for and what is in the passage", async () => {
    using folder = new TestFolder();
    folder.write("a.md", `# Pump\n\nThe zebra-47 pump leaks. ${FILLER}`);
    folder.write("b.md", `# Valve\n\nA valve. ${FILLER}`);
    await indexOnce(folder.path);
    using db = openRead(folder);
    const answer = await searchOf(db)({ query: "zebra-47", explain: true });
    expect(answer.explain).toMatchObject({ is_pointed: true, weights: { dense: 0.5 * 0.4 } });
    expect(answer.explain!.terms.find(({ text }) => text === "zebra-47")).toMatchObject({ passages: 1 });
    const [first] = answer.results;
    expect(first!.explain!.matched.terms).toContain("zebra-47");
    expect(first!.explain!.matched.spans).toBe(first!.match_spans!.length);
    expect((await searchOf(db)({ query: "zebra-47" })).explain).toBeUndefined();
  });
});
