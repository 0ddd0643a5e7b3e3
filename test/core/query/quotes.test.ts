import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { segmentQuotes } from "../../../src/core/query/quotes.ts";

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

  test("gives back the query when the segments are quoted again", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', "a", " ", "あ", "🦀") }), (raw) => {
        const again = segmentQuotes(raw).map(({ kind, text }) =>
          kind === "plain" ? text : `"${text.replaceAll('"', '""')}"`,
        );
        expect(again.join("")).toBe(raw);
      }),
    );
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
