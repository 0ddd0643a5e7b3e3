import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatQuotes, segmentQuotes } from "../../../src/core/query/quotes.ts";

const q = (text: string) => ({ kind: "quoted", text }) as const;
const p = (text: string) => ({ kind: "plain", text }) as const;

describe("segmentQuotes", () => {
  test.each([
    ["", []],
    ["plain words", [p("plain words")]],
    ['"Blue Green" rollout', [q("Blue Green"), p(" rollout")]],
    ['"he said ""no"" twice"', [q('he said "no" twice')]],
    ['a "b" c "d" e', [p("a "), q("b"), p(" c "), q("d"), p(" e")]],
    ['""', [q("")]],
    ['""""', [q('"')]],
    ['"""', [p('"""')]],
    ['tail "never closed', [p('tail "never closed')]],
    ['"one" then "two', [q("one"), p(' then "two')]],
    ['xyz "pq"" rs', [p('xyz "pq"" rs')]],
    ['"', [p('"')]],
    ['x"one two"y', [p("x"), q("one two"), p("y")]],
    ['"a""b"', [q('a"b')]],
    ['"" there', [q(""), p(" there")]],
    ['"a" "b', [q("a"), p(' "b')]],
    ["“Blue” 「Green」『x』", [p("“Blue” 「Green」『x』")]],
  ])("cuts %j", (raw, segments) => {
    expect(segmentQuotes(raw)).toEqual(segments);
  });

  test("never gives an empty plain segment, nor two plain ones in a row", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', "a", " ") }), (raw) => {
        const segments = segmentQuotes(raw);
        for (const [at, { kind, text }] of segments.entries()) {
          if (kind === "quoted") continue;
          expect(text).not.toBe("");
          expect(segments[at + 1]?.kind).not.toBe("plain");
        }
      }),
    );
  });
});

describe("formatQuotes", () => {
  test.each([
    [[], ""],
    [[q("")], '""'],
    [[p("a "), q('b"c'), p(' "d')], 'a "b""c" "d'],
  ] as const)("writes %j as %j", (segments, text) => {
    expect(formatQuotes(segments)).toBe(text);
  });

  test("gives back the query whose segments they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', "a", " ", "あ", "🦀") }), (raw) => {
        expect(formatQuotes(segmentQuotes(raw))).toBe(raw);
      }),
    );
  });
});
