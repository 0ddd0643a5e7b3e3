import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Needle, QuotedQueries } from "../../src/core/quoted-queries.ts";

const LEASE = "when does the lease expire";
const SOUP = "how do I cook a soup";
const SHORT = "lease terms";
const LONGER = `tell me ${LEASE}, please`;
const JAPANESE = "契約の期限はいつまでですか";

const query = (text: string, ...expectedPaths: string[]) => ({ query: text, expectedPaths });

function quotedBy(
  queries: ReturnType<typeof query>[],
  texts: readonly string[],
  path = "notes.md",
): number[] {
  const quotations = new QuotedQueries(queries);
  const found = new Set<Needle>();
  for (const text of texts) quotations.collect(text, found);
  return quotations.quotedBy(path, found);
}

describe("QuotedQueries", () => {
  const both = [query(LEASE), query(SOUP)];

  test.each<[string, ReturnType<typeof query>[], string[], number[]]>([
    ["two queries in one text", both, [`1. ${LEASE}\n2. ${SOUP}`], [0, 1]],
    ["two queries in two texts of a document", both, [SOUP, LEASE], [0, 1]],
    ["one query alone", both, [LEASE, LEASE], []],
    ["another letter case and other spaces", both, [`When  does\n\tthe lease EXPIRE? ${SOUP}`], [0, 1]],
    ["an ideographic space for a space", both, [`${LEASE} how　do I cook a soup`], [0, 1]],
    ["the beginning of a query", both, [`${LEASE.slice(0, -1)} ${SOUP}`], []],
    ["a query of fewer than twelve characters", [query(SHORT), query(SOUP)], [`${SHORT} ${SOUP}`], []],
    ["text without spaces", [query(JAPANESE), query(SOUP)], [`問:${JAPANESE}`, SOUP], [0, 1]],
    ["a query inside a longer one as one", [query(LEASE), query(LONGER)], [LONGER], []],
    ["equal queries as the first of them", [query(SOUP), query(LEASE), query(SOUP)], [SOUP, LEASE], [0, 1]],
    ["nothing", both, ["", "short"], []],
  ])("finds %s", (_, queries, texts, expected) => {
    expect(quotedBy(queries, texts)).toEqual(expected);
  });

  test("leaves out what the document is expected to answer, also for an equal query", () => {
    const queries = [query(LEASE), query(SOUP), query(LEASE, "notes.md"), query(JAPANESE)];
    expect(quotedBy(queries, [LEASE, SOUP, JAPANESE])).toEqual([1, 3]);
    expect(quotedBy(queries, [LEASE, SOUP, JAPANESE], "other.md")).toEqual([0, 1, 3]);
  });

  test("is empty without a query that is long enough", () => {
    expect(new QuotedQueries([query(SHORT)]).isEmpty).toBe(true);
    expect(new QuotedQueries(both).isEmpty).toBe(false);
  });

  test("finds in any text what looking for each query finds", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "あ"), minLength: 12, maxLength: 14 });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 5 }),
        fc.array(text, { maxLength: 6 }),
        (queries, parts) => {
          const quotations = new QuotedQueries(queries.map((each) => query(each)));
          const whole = parts.join("");
          const found = new Set<Needle>();
          quotations.collect(whole, found);
          const plain = (each: string) => each.replace(/\s+/g, " ").trim();
          const expected = queries
            .map(plain)
            .filter((each) => each.length >= 12 && plain(whole).includes(each));
          expect(new Set([...found].map((needle) => needle.text))).toEqual(new Set(expected));
        },
      ),
    );
  });
});
