import { describe, expect, test } from "bun:test";
import {
  documentRequestSchema,
  parseLines,
  parseNumber,
  parseRequest,
  parseWholeNumber,
  QUERY_MAX_BYTES,
  searchRequestSchema,
} from "../../src/config/request.ts";
import { failureOf } from "../support/failure-of.ts";

describe("parseRequest", () => {
  const accepted: unknown[] = [
    { query: "" },
    { query: "東京", limit: 0 },
    { query: "x", limit: 1_000_000_000 },
    { query: "x".repeat(QUERY_MAX_BYTES) },
    { query: "x", mmr: true, mmr_lambda: 0, mmr_same_doc_penalty: 1, group_by: "document" },
    { query: "x", parent_retriever: true, explain: false },
    { query: "x", path_globs: [] },
    { query: "x", min_confidence_ratio: 0 },
    { query: "x", min_confidence_ratio: 1 },
    { query: "x", path_globs: ["docs/**", "!docs/old/**"] },
  ];
  test.each(accepted)("accepts %j", (input) => {
    expect(parseRequest(searchRequestSchema, input)).toEqual(input as { query: string });
  });

  const refused: [input: unknown, part: string][] = [
    [{ querry: "x" }, 'unknown argument "querry". Did you mean query?'],
    [{ query: "x", limt: 3 }, 'unknown argument "limt". Did you mean limit?'],
    [{ query: "x", limit: "5" }, 'got "5"'],
    [{ query: "x", limit: -1 }, "got -1"],
    [{ query: "x", limit: 2.5 }, "got 2.5"],
    [{ query: "x", limit: null }, "limit"],
    [{ query: 5 }, "got 5"],
    [{}, "query"],
    [{ query: "x".repeat(QUERY_MAX_BYTES + 1) }, `${QUERY_MAX_BYTES + 1} bytes`],
    [{ query: "あ".repeat(QUERY_MAX_BYTES / 2) }, `${(QUERY_MAX_BYTES / 2) * 3} bytes`],
    [{ query: "x", path_globs: "docs/**" }, "path_globs"],
    [{ query: "x", min_confidence_ratio: 1.5 }, "got 1.5"],
    [{ query: "x", min_confidence_ratio: -0.1 }, "got -0.1"],
    [{ query: "x", min_confidence_ratio: "0.5" }, 'got "0.5"'],
    [{ query: "x", min_confidence_ration: 0.5 }, "Did you mean min_confidence_ratio?"],
    [{ query: "x", path_globs: [""] }, "path_globs.0"],
    [{ query: "x", path_globs: Array(65).fill("*") }, "path_globs"],
    [{ query: "x", mmr_lambda: 1.1 }, "got 1.1"],
    [{ query: "x", mmr_lambda: "0.5" }, "mmr_lambda"],
    [{ query: "x", mmr_same_doc_penalty: -0.1 }, "got -0.1"],
    [{ query: "x", group_by: "topic" }, 'got "topic"'],
    [[], "expected object"],
    ["x", "expected object"],
  ];
  test.each(refused)("refuses %j", (input, part) => {
    const failure = failureOf(() => parseRequest(searchRequestSchema, input));
    expect(failure.code).toBe("usage");
    expect(failure.message).toContain(part);
    expect(failure.message.length).toBeLessThan(400);
    expect(failure.hint).toContain("query");
  });

  test("names every problem at once", () => {
    const failure = failureOf(() =>
      parseRequest(documentRequestSchema, { path: "", start_line: 0, lines: 3 }),
    );
    for (const name of ["path", "start_line", '"lines"']) expect(failure.message).toContain(name);
  });
});

describe("parseWholeNumber", () => {
  const accepted: [text: string, expected: number][] = [
    ["5", 5],
    ["0", 0],
    ["-1", -1],
    ["1e9", 1_000_000_000],
    [" 7 ", 7],
  ];
  test.each(accepted)("reads %j as %p", (text, expected) => {
    expect(parseWholeNumber(text, "--limit")).toBe(expected);
  });

  test.each(["", " ", "abc", "5x", "2.5", "NaN", "Infinity", "５"])(
    "refuses %j, naming flag and value",
    (text) => {
      const failure = failureOf(() => parseWholeNumber(text, "--limit"));
      expect(failure.code).toBe("usage");
      expect(failure.message).toContain(`--limit takes a whole number, got ${JSON.stringify(text)}`);
    },
  );
});

describe("parseNumber", () => {
  test.each([
    ["0.5", 0.5],
    ["1", 1],
    ["-0.1", -0.1],
    [" .25 ", 0.25],
  ])("reads %j as %p", (text, expected) => {
    expect(parseNumber(text, "--min-confidence")).toBe(expected);
  });

  test.each(["", " ", "high", "0,5", "50%", "NaN", "Infinity"])(
    "refuses %j, naming flag and value",
    (text) => {
      const failure = failureOf(() => parseNumber(text, "--min-confidence"));
      expect(failure.code).toBe("usage");
      expect(failure.message).toContain(`--min-confidence takes a number, got ${JSON.stringify(text)}`);
    },
  );
});

describe("parseLines", () => {
  const accepted: [text: string, expected: object][] = [
    ["10:40", { start_line: 10, end_line: 40 }],
    ["10:", { start_line: 10 }],
    [":40", { end_line: 40 }],
    ["10", { start_line: 10, end_line: 10 }],
    ["3:3", { start_line: 3, end_line: 3 }],
  ];
  test.each(accepted)("reads %s", (text, expected) => {
    expect(parseLines(text)).toEqual(expected);
  });

  test.each(["", ":", "0:5", "0", "5:3", "a:b", "1-5", "1:2:3", "-1:5", "1.5:2"])("refuses %j", (text) => {
    expect(failureOf(() => parseLines(text)).code).toBe("usage");
  });
});
