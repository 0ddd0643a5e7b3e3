/**
 * `kb search` with grouped, varied, widened and explained answers: as JSON, as text, and refused.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path]);
});
afterAll(() => folder[Symbol.dispose]());

const search = (query: string, ...more: readonly string[]) =>
  runJson(["search", query, "--kb", folder.path, ...more]);
const text = (query: string, ...more: readonly string[]) =>
  runKb(["search", query, "--kb", folder.path, ...more]);

describe("--group-by", () => {
  test("gives each document once, with the places of its other passages", async () => {
    const { results } = await search("release rollback", "--group-by", "document", "--limit", "9");
    const paths = results.map(({ path }: WireValue) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const grouped = results.find((hit: WireValue) => hit.grouped !== undefined).grouped;
    expect(grouped[0]).toEqual({
      lines: { start: expect.any(Number), end: expect.any(Number) },
      chunk_index: expect.any(Number),
      score: expect.any(Number),
    });
    const { stdout } = await text("release rollback", "--group-by", "document");
    expect(stdout).toContain(`also in lines ${grouped[0].lines.start}-${grouped[0].lines.end}`);
  });
});

describe("--parent", () => {
  test("shows lines of the file, the passage among them, and marks matches in them", async () => {
    const { results } = await search("shioctl rollback", "--parent", "--limit", "3");
    const plain = (await search("shioctl rollback", "--limit", "3")).results;
    expect(results.map(({ score }: WireValue) => score)).toEqual(plain.map(({ score }: WireValue) => score));
    for (const [offset, { path, lines, content, match_spans: spans }] of results.entries()) {
      const source = folder.read(path).split("\n");
      expect(source.slice(lines.start - 1, lines.end).join("\n")).toContain(content);
      expect(content).toContain(plain[offset].content);
      for (const { start, end } of spans)
        expect(Buffer.from(content).toString("utf8", start, end).toLowerCase()).toMatch(
          /shioctl|rollback|roll/,
        );
    }
    expect(results[0].expanded_from).toBeDefined();
  });
});

describe("--mmr", () => {
  test("keeps the best hit and the scores", async () => {
    const plain = (await search("backup", "--limit", "1000")).results;
    const { results } = await search("backup", "--limit", "1000", "--mmr", "--mmr-lambda", "0.5");
    const keyOf = ({ path, chunk_index: index, score }: WireValue) => `${path} ${index} ${score}`;
    expect(keyOf(results[0])).toBe(keyOf(plain[0]));
    expect(results.map(keyOf).toSorted()).toEqual(plain.map(keyOf).toSorted());
  });

  test("is asked for by itself: its numbers alone have no effect, and that is said", async () => {
    const { stderr } = await text("backup", "--mmr-lambda", "0.5");
    expect(stderr).toContain("mmr_lambda has no effect without mmr");
  });
});

describe("--explain", () => {
  test("adds up to the score, as JSON and as text", async () => {
    const { results, explain } = await search('"shioctl rollback" release', "--explain");
    for (const { score, explain: own } of results) {
      const legs: WireValue[] = Object.values(own.legs);
      const sum = legs.reduce((total, { contribution }) => total + contribution, own.quoted.contribution);
      expect(sum).toBeCloseTo(score, 10);
    }
    expect(explain.weights.terms).toBe(0.4);
    const { stdout } = await text('"shioctl rollback" release', "--explain");
    expect(stdout).toContain("0.500 quoted: 100 % of it is here");
    expect(stdout).toContain("weights: terms 0.4");
  });
});

describe("what is out of range", () => {
  test.each([
    [
      ["--group-by", "folder"],
      ['"folder"', "document"],
    ],
    [
      ["--mmr-lambda", "1.5"],
      ["mmr_lambda", "1.5"],
    ],
    [
      ["--mmr-lambda", "much"],
      ["--mmr-lambda", '"much"'],
    ],
    [
      ["--mmr-same-doc-penalty", "-1"],
      ["mmr_same_doc_penalty", "-1"],
    ],
  ])("is refused: %p", async (flags, parts) => {
    const { code: exitCode, stderr } = await text("backup", ...flags);
    expect(exitCode).toBe(2);
    for (const part of parts) expect(stderr).toContain(part);
  });
});
