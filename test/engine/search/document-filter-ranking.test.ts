/**
 * A filtered search finds what the whole ranking of every leg, restricted to the filter, would give.
 *
 * The other side of the comparison filters nothing in SQL: each leg is asked for ever more of
 * its whole ranking, and what passes is picked out by a predicate written anew here. `KB_TEST_FILTER_CHUNKS`
 * and `KB_TEST_FILTER_ROUNDS` make it larger (100000 and 500 take some minutes).
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import type { SearchRequest } from "../../../src/config/request.ts";
import { configSchema } from "../../../src/config/schema.ts";
import type { Candidate } from "../../../src/core/candidate.ts";
import type { ChunkId } from "../../../src/core/document.ts";
import { normalizeText } from "../../../src/core/normalize.ts";
import { compileQuery } from "../../../src/core/query/plan.ts";
import { askDenseLeg, askLexicalLegs, fuseLegs, weightsFor } from "../../../src/engine/search/legs.ts";
import { searchIndex } from "../../../src/engine/search/search-index.ts";
import { chooseTerms } from "../../../src/engine/search/terms-answer.ts";
import { storeVectors } from "../../../src/store/chunks.ts";
import { readInTransaction, writeInTransaction } from "../../../src/store/transaction.ts";
import { openMemoryIndex, sampleChunk, sampleRecord, storeDocument } from "../../store/sample-index.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";

setDefaultTimeout(600_000);

const CHUNKS = Number(process.env["KB_TEST_FILTER_CHUNKS"] ?? 20_000);
const ROUNDS = Number(process.env["KB_TEST_FILTER_ROUNDS"] ?? 40);
const CHUNKS_PER_DOCUMENT = 5;

interface Described {
  readonly path: string;
  readonly category: string;
  readonly topic: string;
  readonly tags: readonly string[];
  readonly date: string | null;
}

/** Of document `n`; every share of the documents, from half to a thousandth, can be asked for. */
function describeDocument(n: number): Described {
  const folder = `f${n % 10}/g${n % 100}`;
  return {
    path: `${folder}/${n}.md`,
    category: `c${n % 10}`,
    topic: `t${n % 101}`,
    tags: [`half${n % 2}`, ...(n % 97 === 0 ? ["hundredth"] : []), ...(n % 1009 === 0 ? ["thousandth"] : [])],
    date: n % 7 === 0 ? null : new Date(Date.UTC(2020, 0, 1 + (n % 1500))).toISOString().slice(0, 10),
  };
}

const WORDS = [
  "harbour",
  "ledger",
  "winter",
  "valve",
  "storage",
  "倉庫",
  "点検",
  "手順",
  "keeper",
  "signal",
  "復旧",
  "移行",
];
const QUALITIES = [1, 1, 1, 0.5, 0.05];

let seed = 7;
const random = (below: number) => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return Math.floor((seed / 0x80000000) * below);
};

const db = openMemoryIndex();
afterAll(() => db.close());
const places = new Map<ChunkId, { readonly described: Described; readonly quality: number }>();
const vectors = Array.from({ length: 1000 }, () =>
  unit(Float32Array.from({ length: 16 }, () => random(2001) - 1000)),
);
const embedder = new HashEmbedder({ dims: 16 });
embedder.embedQuery = async (text) => vectors[text.length % vectors.length]!;
writeInTransaction(db, () => {
  for (let n = 0; n * CHUNKS_PER_DOCUMENT < CHUNKS; n++) {
    const { path, ...described } = describeDocument(n);
    const chunks = Array.from({ length: CHUNKS_PER_DOCUMENT }, (_, index) =>
      sampleChunk(
        index,
        Array.from({ length: 4 + random(8) }, () => WORDS[random(random(WORDS.length) + 1)]).join(" "),
        {
          quality: QUALITIES[random(QUALITIES.length)]!,
        },
      ),
    );
    const id = storeDocument(db, sampleRecord(path, { meta: { title: `Note ${n}`, ...described } }), chunks);
    const rows = db.all<{ readonly id: ChunkId; readonly quality: number }>(
      "SELECT id, quality FROM chunks WHERE document_id = ?1",
      id,
    );
    for (const row of rows) places.set(row.id, { described: { path, ...described }, quality: row.quality });
    storeVectors(
      db,
      rows.map((row) => ({ chunkId: row.id, vector: vectors[random(vectors.length)]! })),
    );
  }
});

const config = configSchema.parse({});
const filters: fc.Arbitrary<Partial<SearchRequest>> = fc
  .record(
    {
      category: fc.constantFrom("c3", "c7"),
      topic: fc.constantFrom("t3", "t77"),
      path_globs: fc.constantFrom<string[][]>(
        ["f3/**"],
        ["*/g13/*"],
        ["!f1/**", "!f2/**"],
        ["**/1*.md", "!**/*3.md"],
        [],
      ),
      tags_any: fc.constantFrom<string[][]>(
        ["half0"],
        ["hundredth", "thousandth"],
        ["thousandth", "none"],
        [],
      ),
      tags_all: fc.constantFrom<string[][]>(["half1"], ["half0", "hundredth"], ["thousandth"], []),
      date_from: fc.constantFrom("2020", "2021-07", "2023年1月5日"),
      date_to: fc.constantFrom("2023", "2023-06", "2024/2/1"),
      min_quality: fc.constantFrom(0, 0.3, 1),
      include_low_quality: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .filter(({ category, topic }) => category === undefined || topic === undefined);
const queries = fc
  .array(fc.constantFrom(...WORDS, "zirconium"), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(" "));

describe("a filtered search", () => {
  test.each([
    ["a tenth", { category: "c3" }],
    ["a hundredth", { tags_any: ["hundredth"] }],
    ["a thousandth", { tags_all: ["thousandth"] }],
  ])("of %s of the documents is the whole ranking restricted to them", async (_, filter) => {
    for (const query of ["winter ledger", "点検の手順", "harbour 復旧 signal", "something else entirely"])
      await compare({ query, ...filter });
  });

  test("by any filters is the whole ranking restricted to them", async () => {
    await fc.assert(
      fc.asyncProperty(queries, filters, fc.constantFrom(1, 20, 1000), (query, filter, limit) =>
        compare({ query, limit, ...filter }),
      ),
      { numRuns: ROUNDS },
    );
  });

  test("finds every passage of what a narrow filter leaves", async () => {
    const { path } = describeDocument(Math.floor(CHUNKS / CHUNKS_PER_DOCUMENT / 2));
    const { results } = await searchIndex(
      { db, embedder, config },
      { query: "something else entirely", limit: 1000, path_globs: [path], include_low_quality: true },
    );
    expect(results.map((hit) => [hit.path, hit.chunk_index]).sort()).toEqual(
      Array.from({ length: CHUNKS_PER_DOCUMENT }, (_, index) => [path, index]),
    );
  });
});

async function compare(request: SearchRequest): Promise<void> {
  const answer = await searchIndex({ db, embedder, config }, request);
  const found = answer.results.map(({ path, chunk_index, score, scores }) => ({
    path,
    chunk_index,
    score,
    scores,
  }));
  expect(found).toEqual(await rankWhole(request));
}

/** The legs' whole rankings, unfiltered, then restricted, cut, scaled and fused as any search is. */
async function rankWhole(request: SearchRequest) {
  const limit = request.limit ?? 5;
  const plan = compileQuery(request.query, { exclusions: true, exclude: [], normalize: normalizeText });
  const vector = await embedder.embedQuery(plan.positiveText);
  return readInTransaction(db, () => {
    const choice = chooseTerms(db, plan, places.size);
    const legRequest = {
      poolSize: Math.max(100, 5 * limit),
      totalChunks: places.size,
      passes: (candidates: readonly Candidate[]) =>
        candidates.filter(({ chunkId }) => passes(chunkId, request)),
    };
    const lexical = askLexicalLegs(db, { plan, choice }, legRequest, config.search.fusion);
    const legs = [...lexical, ...askDenseLeg(db, vector, lexical, legRequest, config.search.fusion)];
    const { fusion } = config.search;
    return fuseLegs(legs, weightsFor(plan.words, 1, fusion), fusion)
      .slice(0, limit)
      .map(({ path, chunkIndex, score, scores }) => ({ path, chunk_index: chunkIndex, score, scores }));
  });
}

const FIRST_DAYS: Readonly<Record<string, string>> = {
  "2020": "2020-01-01",
  "2021-07": "2021-07-01",
  "2023年1月5日": "2023-01-05",
};
const LAST_DAYS: Readonly<Record<string, string>> = {
  "2023": "2023-12-31",
  "2023-06": "2023-06-30",
  "2024/2/1": "2024-02-01",
};
const GLOB_PATTERNS: Readonly<Record<string, RegExp>> = {
  "f3/**": /^f3\//,
  "*/g13/*": /^[^/]*\/g13\/[^/]*$/,
  "f1/**": /^f1\//,
  "f2/**": /^f2\//,
  "**/1*.md": /(?:^|\/)1[^/]*\.md$/,
  "**/*3.md": /3\.md$/,
};

function passes(chunkId: ChunkId, request: SearchRequest): boolean {
  const { described, quality } = places.get(chunkId)!;
  const { path, category, topic, tags, date } = described;
  const { tags_any = [], tags_all = [], path_globs = [], date_from, date_to } = request;
  const matches = (glob: string) => GLOB_PATTERNS[glob]!.test(path);
  const included = path_globs.filter((glob) => !glob.startsWith("!"));
  const excluded = path_globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const minQuality = request.include_low_quality ? 0 : (request.min_quality ?? 0.1);
  return (
    quality >= minQuality &&
    (request.category ?? category) === category &&
    (request.topic ?? topic) === topic &&
    (included.length === 0 || included.some(matches)) &&
    !excluded.some(matches) &&
    (tags_any.length === 0 || tags_any.some((tag) => tags.includes(tag))) &&
    tags_all.every((tag) => tags.includes(tag)) &&
    (date_from === undefined || (date !== null && date >= FIRST_DAYS[date_from]!)) &&
    (date_to === undefined || (date !== null && date <= LAST_DAYS[date_to]!))
  );
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
