import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseRequest, searchRequestSchema } from "../../../src/config/request.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

const folder = new TestFolder();
let engine: Engine;

const note = (front: string, body: string) =>
  `---\n${front}\n---\n# ${body}\n\nThe harbour keeper wrote about the ${body} tonight.\n`;

beforeAll(async () => {
  folder.write("ops/deploy/a.md", note("date: 2026-1-5\ntags: [release, 運用]", "anchor"));
  folder.write("ops/deploy/b.md", note("date: 2026/02/28\ntags: [release]", "beacon"));
  folder.write("ops/backup/c.md", note("date: 2026年3月1日\ntags: [Release, cafe\u0301]", "cable"));
  folder.write("notes/d.md", note("date: 2026-03-01T23:30:00+09:00\ncategory: ops", "dock"));
  folder.write("notes/e.md", note("date: sometime in spring", "engine"));
  folder.write("notes/f.md", "# Fender\n\nTBD\n");
  folder.write("g.md", "# Gear\n\nThe harbour keeper has no date.\n");
  await indexOnce(folder.path);
  engine = testEngine(folder.path);
});
afterAll(async () => {
  await engine.close();
  folder[Symbol.dispose]();
});

const search = (filter: object) =>
  engine.search(parseRequest(searchRequestSchema, { query: "harbour keeper fender", limit: 50, ...filter }));
const names = async (filter: object) =>
  (await search(filter)).results
    .map(({ path }) => path.replace(/^.*\/|\.md$/g, ""))
    .sort()
    .join("");

describe("a search with filters", () => {
  test.each<[object, string]>([
    [{}, "abcdeg"],
    [{ category: "ops" }, "abcd"],
    [{ category: "Ops" }, ""],
    [{ topic: "deploy" }, "ab"],
    [{ category: "ops", topic: "backup" }, "c"],
    [{ tags_any: ["release"] }, "ab"],
    [{ tags_any: ["Release", "運用"] }, "ac"],
    [{ tags_any: ["caf\u00e9"] }, "c"],
    [{ tags_all: ["release", "運用"] }, "a"],
    [{ tags_any: [], tags_all: [], path_globs: [], exclude: [] }, "abcdeg"],
    [{ date_from: "2026" }, "abcd"],
    [{ date_from: "2026-02" }, "bcd"],
    [{ date_to: "2026-02" }, "ab"],
    [{ date_to: "2026年2月27日" }, "a"],
    [{ date_from: "2026/3/1", date_to: "2026-03-01" }, "cd"],
    [{ path_globs: ["*/deploy/*", "g.md"] }, "abg"],
    [{ path_globs: ["!ops/**"] }, "deg"],
    [{ include_low_quality: true }, "abcdefg"],
    [{ min_quality: 0 }, "abcdefg"],
    [{ min_quality: 1, include_low_quality: true }, "abcdefg"],
    [{ category: "ops", tags_any: ["release"], date_from: "2026-02", path_globs: ["ops/**"] }, "b"],
  ])("finds with %j the documents %p", async (filter, expected) => {
    expect(await names(filter)).toBe(expected);
  });

  test("echoes what has an effect, in the order of the fields", async () => {
    const { filter_applied } = await search({
      exclude: ["zzz"],
      min_quality: 0.5,
      date_to: "2026-02",
      date_from: "2026年1月",
      tags_all: ["release"],
      tags_any: [],
      path_globs: ["**"],
      topic: "deploy",
      category: "ops",
      include_low_quality: false,
    });
    expect(Object.entries(filter_applied)).toEqual([
      ["category", "ops"],
      ["topic", "deploy"],
      ["path_globs", ["**"]],
      ["tags_all", ["release"]],
      ["date_from", "2026-01-01"],
      ["date_to", "2026-02-28"],
      ["min_quality", 0.5],
      ["exclude_terms", ["zzz"]],
    ]);
    expect((await search({ min_quality: 0.1 })).filter_applied).toEqual({});
    expect((await search({ include_low_quality: true, min_quality: 0.3 })).filter_applied).toEqual({
      include_low_quality: true,
    });
  });

  test.each<[object, string]>([
    [{ category: "Ops" }, 'No document has the category "Ops". Did you mean ops?'],
    [{ topic: "deploi" }, 'No document has the topic "deploi". Did you mean deploy?'],
    [{ tags_any: ["cafés"] }, 'No document has the tag "cafés". Did you mean café?'],
    [{ tags_all: ["運用", "cafe"] }, 'No document has the tag "cafe". Did you mean café?'],
    [
      { tags_all: ["運用", "Release"] },
      'No document has all of the tags "運用", "Release", though each is in use.',
    ],
    [{ tags_any: ["x1", "x2"] }, 'No document has any of the tags "x1", "x2".'],
    [{ path_globs: ["none/**"] }, 'No document\'s path matches the globs "none/**".'],
    [{ date_from: "2027" }, "No document is dated from 2027-01-01; dates go from 2026-01-05 to 2026-03-01."],
    [
      { topic: "backup", tags_any: ["運用"] },
      "No document passes topic and tags_any together, though each leaves some.",
    ],
    [
      { path_globs: ["notes/f.md"] },
      "No passage of the documents that pass the filter has a quality of 0.1 or more",
    ],
  ])("says which filter leaves nothing: %j", async (filter, reason) => {
    const answer = await search(filter);
    expect(answer.results).toEqual([]);
    expect(answer.query_info.reason).toStartWith(reason);
  });

  test("gives a passage the same raw scores in every leg as without the filter, in a small index too", async () => {
    const whole = await search({});
    const filtered = await search({ tags_any: ["release"] });
    const raws = (answer: typeof whole) =>
      answer.results
        .filter(({ path }) => /[ab]\.md$/.test(path))
        .map(({ path, scores }) => [path, scores.terms?.raw, scores.phrases?.raw, scores.dense?.raw]);
    expect(raws(filtered).sort()).toEqual(raws(whole).sort());
  });
});

test.each<[object, string]>([
  [{ date_from: "next week" }, "date_from: not a date; write it as 2026"],
  [{ date_to: "2026-02-30" }, 'got "2026-02-30"'],
  [{ date_from: "2026-02", date_to: "2026-01" }, 'date_from: later than date_to (2026-01), got "2026-02"'],
  [{ tags_any: Array.from({ length: 65 }, (_, n) => `t${n}`) }, "tags_any"],
  [{ tags_all: [""] }, "tags_all.0"],
  [{ min_quality: 1.5 }, "min_quality"],
  [{ category: "" }, "category"],
  [{ tag_any: ["x"] }, 'unknown argument "tag_any". Did you mean tags_any?'],
])("refuses %j, naming what is wrong", (filter, message) => {
  expect(() => parseRequest(searchRequestSchema, { query: "x", ...filter })).toThrow(message);
});
