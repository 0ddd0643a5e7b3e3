import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyseDocumentField, analyseQuery, formatTermsExpression } from "../../src/core/analyse.ts";
import type { DocumentId } from "../../src/core/document.ts";
import { normalizeText } from "../../src/core/normalize.ts";
import { deleteDocument } from "../../src/store/documents.ts";
import { optimizeFullText } from "../../src/store/maintenance.ts";
import type { IndexDatabase } from "../../src/store/open.ts";
import { countTermMatches, searchTerms, type TermSearch } from "../../src/store/terms-leg.ts";
import { anyText } from "../support/mixed-text.ts";
import {
  addDocument,
  countRows,
  openMemoryIndex,
  sampleChunk,
  sampleRecord,
  storeDocument,
} from "./sample-index.ts";

const ask = (db: IndexDatabase, query: string, search: Partial<TermSearch> = {}) => {
  const expression = formatTermsExpression(analyseQuery(normalizeText(query)).terms);
  return expression === null ? [] : searchTerms(db, expression, { poolSize: 1000, ...search });
};

const placesOf = (candidates: readonly { path: string; chunkIndex: number }[]) =>
  candidates.map(({ path, chunkIndex }) => `${path}#${chunkIndex}`);

const TEXTS = {
  "kyoto.md": "京都へ行く。税の話もする。",
  "tokyo.md": "東京都の税率を調べる",
  "tower.md": "東京タワー",
  "going.md": "They are going to connect it",
  "go.md": "Bunで実行、Goで書く: C++とC#は使わない",
  "gen.md": "重跑gen-itgc后，查看 src/core/query.ts v1.0.21",
  "last.md": "これで最後だ、消費税",
} as const;

function fill(db: IndexDatabase): void {
  for (const [path, text] of Object.entries(TEXTS)) addDocument(db, path, text);
}

describe("searchTerms", () => {
  test.each([
    ["東京", ["tokyo.md", "tower.md"]],
    ["京都", ["kyoto.md", "tokyo.md"]],
    ["税", ["kyoto.md", "last.md", "tokyo.md"]],
    ["都", ["kyoto.md", "tokyo.md"]],
    ["京", ["kyoto.md", "tokyo.md", "tower.md"]],
    ["犬", []],
    ["go", ["go.md"]],
    ["GO", ["go.md"]],
    ["bun", ["go.md"]],
    ["c++", ["go.md"]],
    ["C#", ["go.md"]],
    ["gen-itgc", ["gen.md"]],
    ["query.ts", ["gen.md"]],
    ["1.0.21", ["gen.md"]],
    ["connections", ["going.md"]],
    ["実行", ["go.md"]],
    ["后", ["gen.md"]],
  ])("finds %s in %p", (query, paths) => {
    using db = openMemoryIndex();
    fill(db);
    expect(
      ask(db, query)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(paths);
  });

  test("finds exactly the texts that contain a word of one or two characters", () => {
    using db = openMemoryIndex();
    const characters = [..."東京都税検索のタワー𠮷𩸽ทย한"];
    const piece = fc.oneof(
      { arbitrary: fc.constantFrom(...characters), weight: 5 },
      fc.constantFrom("ai", " ", "。", "-", "1.2"),
    );
    const texts = fc.sample(
      fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join("")),
      { numRuns: 150, seed: 7 },
    );
    for (const [n, text] of texts.entries()) addDocument(db, `${n}`, text);
    const word = fc
      .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 2 })
      .map((w) => w.join(""));
    fc.assert(
      fc.property(word, (query) => {
        const expected = texts.flatMap((text, n) => (text.includes(query) ? [n] : []));
        expect(
          ask(db, query)
            .map(({ path }) => Number(path))
            .sort((a, b) => a - b),
        ).toEqual(expected);
      }),
    );
  });

  test("finds a chunk by its document's title and by the headings above it", () => {
    using db = openMemoryIndex();
    const { meta, ...record } = sampleRecord("a.md");
    const chunks = [sampleChunk(0, "本文", { headingPath: ["第一章 導入", "目的"] }), sampleChunk(1, "本文")];
    storeDocument(db, { ...record, meta: { ...meta, title: "Handbook of 税務" } }, chunks);
    expect(placesOf(ask(db, "税務"))).toEqual(["a.md#1", "a.md#0"]);
    expect(placesOf(ask(db, "handbooks"))).toHaveLength(2);
    expect(placesOf(ask(db, "導入"))).toEqual(["a.md#0"]);
    expect(placesOf(ask(db, "目的"))).toEqual(["a.md#0"]);
    expect(ask(db, "入目")).toEqual([]);
  });

  test.each([
    ["content.md", { content: 9, title: 1, headings: 1 }],
    ["title.md", { content: 1, title: 9, headings: 1 }],
    ["headings.md", { content: 1, title: 1, headings: 9 }],
  ])("puts %s first with the weights %p", (first, weights) => {
    using db = openMemoryIndex();
    for (const where of ["content", "title", "headings"]) {
      const { meta, ...record } = sampleRecord(`${where}.md`);
      const title = where === "title" ? "needle" : "plain";
      storeDocument(db, { ...record, meta: { ...meta, title } }, [
        sampleChunk(0, where === "content" ? "needle" : "plain", {
          headingPath: [where === "headings" ? "needle" : "plain"],
        }),
      ]);
    }
    for (let n = 0; n < 8; n++) addDocument(db, `z${n}.md`, "nothing of the kind");
    const found = ask(db, "needle", { weights });
    expect(found).toHaveLength(3);
    expect(found[0]?.path).toBe(first);
    expect(found[0]!.raw).toBeGreaterThan(found[1]!.raw);
    expect(found[2]!.raw).toBeGreaterThan(0);
  });

  test("orders ties by path in code points, then by chunk index, at the border of every pool too", () => {
    using db = openMemoryIndex();
    for (const path of ["\u{1f600}", "b", "ｚ", "B"]) {
      const { meta, ...record } = sampleRecord(path);
      storeDocument(
        db,
        { ...record, meta: { ...meta, title: "" } },
        [0, 1].map((index) => sampleChunk(index, "同じ言葉")),
      );
    }
    const expected = ["B#0", "B#1", "b#0", "b#1", "ｚ#0", "ｚ#1", "\u{1f600}#0", "\u{1f600}#1"];
    for (let poolSize = 0; poolSize <= 9; poolSize++)
      expect(placesOf(ask(db, "言葉", { poolSize }))).toEqual(expected.slice(0, poolSize));
  });

  test("restricts before the limit: a filtered answer is the whole answer filtered", () => {
    using db = openMemoryIndex();
    const ids: DocumentId[] = [];
    for (let n = 0; n < 20; n++) {
      const chunks = [0, 1, 2].map((index) =>
        sampleChunk(index, `税率 ${"filler ".repeat((n * 7 + index * 3) % 11)}`, {
          quality: ((n + index) % 10) / 10,
        }),
      );
      ids.push(storeDocument(db, sampleRecord(`${n % 4}/${n}.md`), chunks));
    }
    const rows = db.all<{ id: number; quality: number; d: DocumentId }>(
      "SELECT id, quality, document_id AS d FROM chunks",
    );
    const chunkOf = new Map(rows.map((row) => [row.id, row]));
    fc.assert(
      fc.property(
        fc.constantFrom("税率", "税", "filler 税率"),
        fc.option(fc.subarray(ids), { nil: undefined }),
        fc.constantFrom(undefined, 0, 0.3, 0.75, 1),
        fc.integer({ min: 1, max: 40 }),
        (query, documentIds, minQuality, poolSize) => {
          const expected = ask(db, query).filter(({ chunkId }) => {
            const { d, quality } = chunkOf.get(chunkId)!;
            return (documentIds === undefined || documentIds.includes(d)) && quality >= (minQuality ?? 0);
          });
          expect(ask(db, query, { poolSize, documentIds, minQuality })).toEqual(expected.slice(0, poolSize));
        },
      ),
    );
  });

  test("answers the same whatever the order of indexing and whatever was there before", () => {
    const answer = (order: readonly string[]) => {
      using db = openMemoryIndex();
      addDocument(db, "gone.md", "東京の税 go");
      for (const path of order) addDocument(db, path, "東京 before", "もう一つ");
      for (const path of order) addDocument(db, path, TEXTS[path as keyof typeof TEXTS]);
      deleteDocument(db, addDocument(db, "gone.md", "東京 again"));
      return ask(db, "東京 税 go 実行").map(({ path, raw }) => [path, raw]);
    };
    const paths = Object.keys(TEXTS);
    expect(answer(paths.toReversed())).toEqual(answer(paths));
  });

  test("runs one statement for all terms", () => {
    using db = openMemoryIndex();
    fill(db);
    const statements: string[] = [];
    db.traceStatements((sql) => statements.push(sql));
    ask(db, "東京 税 go connect 1.0.21");
    expect(statements).toHaveLength(1);
  });
});

describe("countTermMatches", () => {
  const count = (db: IndexDatabase, query: string) => countTermMatches(db, analyseQuery(query).terms);

  test("counts chunks, not occurrences, in the order of the terms, by one statement", () => {
    using db = openMemoryIndex();
    fill(db);
    addDocument(db, "again.md", "東京 東京 go go", "東京");
    const statements: string[] = [];
    db.traceStatements((sql) => statements.push(sql));
    expect(count(db, "go 東京 犬猫 nothing タワ c++")).toEqual([2, 4, 0, 0, 1, 1, 1]);
    expect(statements).toHaveLength(1);
    expect(count(db, "")).toEqual([]);
  });

  test("adds up what begins with a prefix", () => {
    using db = openMemoryIndex();
    fill(db);
    expect(count(db, "税 犬")).toEqual([3, 0]);
    addDocument(db, "both.md", "税率と税額");
    expect(count(db, "税")).toEqual([5]);
  });

  test("agrees with what a search finds, for random words", () => {
    using db = openMemoryIndex();
    fill(db);
    const words = [
      ...new Set(
        Object.values(TEXTS).flatMap((text) => analyseDocumentField(normalizeText(text)).split(" ")),
      ),
    ];
    const terms = words
      .filter((word) => word.length > 1)
      .map((text) => ({ text, isPrefix: false, kind: "word" }) as const);
    const found = terms.map(
      (term) => searchTerms(db, formatTermsExpression([term])!, { poolSize: 99 }).length,
    );
    expect(countTermMatches(db, terms)).toEqual(found);
  });

  test("no longer counts a document that was deleted", () => {
    using db = openMemoryIndex();
    fill(db);
    const id = addDocument(db, "gone.md", "東京 税");
    deleteDocument(db, id);
    optimizeFullText(db);
    expect(count(db, "東京")).toEqual([2]);
  });
});

describe("chunk_terms", () => {
  test("keeps every term as one token, and finds it", () => {
    using db = openMemoryIndex();
    const nasty = [
      "c++ c# .net §4.2 a.b-c_d/e:f@g+h#i&j don't AND OR NOT NEAR( * ^ { } \" '",
      "\0 \x01 \uD800 \u{1F600} \u{F0000} \u200B \u{E0100} 葛\u{E0100}飾",
      "ß ſ ς µ ͅ İ ı ŉ Ǆ ﬁ ½ ① ㈱ ẛ",
      "𠮷野家 \u{30000}\u{31350} ᄀ\u1161 กี่ ကြောင်",
      `${"x".repeat(70_000)} ${"a-".repeat(40_000)} ${"税".repeat(3_000)}`,
      'content:x title : headings - {a b}: c NEAR(a b, 2) a* "b" *',
    ];
    const texts = [...nasty, ...fc.sample(anyText, { numRuns: 600, seed: 11 })];
    db.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab(chunk_terms, instance)");
    for (const text of texts) {
      const field = analyseDocumentField(normalizeText(text));
      const id = addDocument(db, "\u3000", text);
      const tokens = db
        .all<{ term: string }>("SELECT term FROM tokens WHERE col = 'content' ORDER BY doc, offset")
        .map(({ term }) => term);
      expect(tokens.join(" ")).toBe(field);
      for (const query of normalizeText(text).split(" ").slice(0, 3)) {
        const expression = formatTermsExpression(analyseQuery(query).terms);
        if (expression !== null) expect(searchTerms(db, expression, { poolSize: 9 })).toHaveLength(1);
      }
      deleteDocument(db, id);
      db.execute("INSERT INTO chunk_terms (chunk_terms) VALUES ('optimize')");
    }
  });

  test("has a row for each chunk, and none when its document is gone", () => {
    using db = openMemoryIndex();
    const id = addDocument(db, "a.md", "東京", "税", "go");
    addDocument(db, "b.md", "東京");
    expect(countRows(db)).toMatchObject({ chunks: 4, terms: 4 });
    addDocument(db, "a.md", "京都");
    expect(countRows(db)).toMatchObject({ chunks: 2, terms: 2 });
    expect(placesOf(ask(db, "東京"))).toEqual(["b.md#0"]);
    deleteDocument(db, id);
    deleteDocument(db, addDocument(db, "b.md", "東京"));
    expect(countRows(db)).toMatchObject({ chunks: 0, terms: 0 });
    optimizeFullText(db);
    expect(db.all("SELECT term FROM chunk_terms_vocab")).toEqual([]);
  });
});
