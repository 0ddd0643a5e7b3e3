/**
 * What every `Embedder` must do, as tests to run against each of them.
 *
 * In goes a name and how to open one; nothing is assumed of its model beyond the
 * port. Whether vectors mean anything is tested where the model is.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Embedder } from "../../src/core/embedder.ts";

const TEXTS = [
  "The index is rebuilt when a file changes.",
  "索引はファイルが変わると作り直される。",
  "Cats sleep most of the day.",
  "猫は一日の大半を寝て過ごす。",
  "SELECT id FROM chunks;",
];

/** Registers the suite under `name`; opens one embedder for all its tests and closes it after them. */
export function describeEmbedderContract(name: string, open: () => Embedder): void {
  describe(`${name} as an embedder`, () => {
    let embedder: Embedder;
    beforeAll(() => {
      embedder = open();
    });
    afterAll(() => embedder.close());

    test("says who it is, so that an index can refuse another's vectors", () => {
      const { identity } = embedder;
      expect(identity.name).not.toBe("");
      expect(identity.revision).not.toBe("");
      expect(identity.dims).toBeGreaterThan(0);
      expect(identity.maxTokens).toBeGreaterThan(2);
    });

    test("gives one finite unit vector of its own length per text, in order", async () => {
      const vectors = await embedder.embedPassages(TEXTS);
      expect(vectors.length).toBe(TEXTS.length);
      for (const vector of vectors) expectUnitVector(vector, embedder.identity.dims);
      const [third] = await embedder.embedPassages([TEXTS[2]!]);
      expect(vectors[2]).toEqual(third!);
    });

    test("gives no vectors for no texts", async () => {
      expect(await embedder.embedPassages([])).toEqual([]);
    });

    test("gives a query a finite unit vector, too", async () => {
      expectUnitVector(await embedder.embedQuery("いつ索引は作り直されるか"), embedder.identity.dims);
    });

    test("gives the same text the same vector each time", async () => {
      const [first] = await embedder.embedPassages([TEXTS[1]!]);
      const [second] = await embedder.embedPassages([TEXTS[1]!]);
      expect(first).toEqual(second!);
      expect(await embedder.embedQuery("cats")).toEqual(await embedder.embedQuery("cats"));
    });

    test("does not let a text's neighbours change its vector", async () => {
      const [alone] = await embedder.embedPassages([TEXTS[0]!]);
      const crowd = await embedder.embedPassages(["long text ".repeat(200), TEXTS[0]!, "", ...TEXTS]);
      expect(crowd[1]).toEqual(alone!);
      expect(crowd[3]).toEqual(alone!);
    });

    test("tells a query from a passage of the same words", async () => {
      const query = await embedder.embedQuery(TEXTS[2]!);
      const [passage] = await embedder.embedPassages([TEXTS[2]!]);
      expect(query).not.toEqual(passage!);
    });

    test("puts a text nearest to itself among texts on other subjects", async () => {
      // A translation may well be nearer than the text itself, so each subject appears once.
      const subjects = [TEXTS[0]!, TEXTS[3]!, TEXTS[4]!];
      const vectors = await embedder.embedPassages(subjects);
      for (const [offset, text] of subjects.entries()) {
        const query = await embedder.embedQuery(text);
        const similarities = vectors.map((vector) => dot(query, vector));
        expect(similarities.indexOf(Math.max(...similarities))).toBe(offset);
      }
    });

    test.each([
      ["empty", ""],
      ["only spaces", " \n\t\u3000"],
      ["only controls", "\u0000\u0001"],
      ["emoji", "🗼👨‍👩‍👧‍👦"],
      ["half of a surrogate pair", "a\ud83d"],
      ["far longer than the limit", "検索 search ".repeat(5_000)],
      ["long without a space", "検".repeat(50_000)],
    ])("takes a text that is %s", async (_, text) => {
      const [passage] = await embedder.embedPassages([text]);
      expectUnitVector(passage!, embedder.identity.dims);
      expectUnitVector(await embedder.embedQuery(text), embedder.identity.dims);
    });

    test("cuts a long text at its end", async () => {
      const long = "word ".repeat(embedder.identity.maxTokens * 2);
      const [plain, longer] = await embedder.embedPassages([long, `${long} and something else entirely`]);
      expect(longer).toEqual(plain!);
    });

    test("tells which share of a text it does not know", () => {
      expect(embedder.unknownShare("検索 search")).toBe(0);
      expect(embedder.unknownShare("")).toBe(0);
      expect(embedder.unknownShare("𒀀𒁀 𒂀")).toBe(1);
      expect(embedder.unknownShare("𒀀 東")).toBe(0.5);
    });

    test("names what runs it", () => {
      expect(embedder.findRuntime().name).not.toBe("");
    });

    test("counts tokens uncut, more for more text, and at once", () => {
      const short = embedder.countPassageTokens("検索");
      expect(Number.isInteger(short)).toBe(true);
      expect(short).toBeGreaterThan(0);
      expect(embedder.countPassageTokens("")).toBeLessThanOrEqual(short);
      expect(embedder.countPassageTokens("検索 search ".repeat(1_000))).toBeGreaterThan(
        embedder.identity.maxTokens,
      );
    });
  });
}

function expectUnitVector(vector: Float32Array, dims: number): void {
  expect(vector).toBeInstanceOf(Float32Array);
  expect(vector.length).toBe(dims);
  expect(vector.every(Number.isFinite)).toBe(true);
  expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
