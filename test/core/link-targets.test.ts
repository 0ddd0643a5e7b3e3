import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareCodePoints } from "../../src/core/code-point-order.ts";
import { LinkResolver } from "../../src/core/link-targets.ts";

const PATHS = [
  "README.md",
  "a b.md",
  "book/01.md",
  "book/index.md",
  "en/guides/install.mdx",
  "en/guides/styling.mdx",
  "ja/guides/install.mdx",
  "notes/100%.md",
  "notes/Meeting.md",
  "notes/archive/Meeting.md",
  "notes/plan.md",
  "notes/plan.mdx",
  "notes/v1.2.md",
  "projects/Meeting.md",
  "projects/x/readme.md",
  "手順/ガイド.md",
].sort(compareCodePoints);

function resolve(from: string, written: string): string {
  const isWiki = written.startsWith("[[");
  const target = isWiki ? written.slice(2, -2) : written;
  const found = new LinkResolver(PATHS).resolve(from, { kind: isWiki ? "wiki" : "markdown", target });
  return found.kind === "document" ? found.path : found.kind;
}

describe("LinkResolver", () => {
  test.each([
    ["a path beside it", "notes/plan.md", "Meeting.md", "notes/Meeting.md"],
    ["a path with ./", "notes/plan.md", "./archive/Meeting.md", "notes/archive/Meeting.md"],
    ["a path above", "notes/archive/Meeting.md", "../plan.md#today", "notes/plan.md"],
    ["no extension", "notes/Meeting.md", "plan", "notes/plan.md"],
    ["another extension", "en/guides/styling.mdx", "install", "en/guides/install.mdx"],
    ["percent escapes", "README.md", "a%20b.md", "a b.md"],
    [
      "percent escapes of Japanese",
      "README.md",
      "%E6%89%8B%E9%A0%86/%E3%82%AC%E3%82%A4%E3%83%89.md",
      "手順/ガイド.md",
    ],
    ["decomposed names", "README.md", "手順/カ\u3099イド.md", "手順/ガイド.md"],
    ["a percent sign that is no escape", "notes/plan.md", "100%.md", "notes/100%.md"],
    ["query and anchor", "notes/plan.md", "Meeting.md?v=1#x", "notes/Meeting.md"],
    ["a folder with a page", "README.md", "book/", "book/index.md"],
    ["a folder with a readme", "README.md", "projects/x", "projects/x/readme.md"],
    ["the root", "notes/plan.md", "/", "README.md"],
    ["a page made from a document", "book/01.md", "01.html#s", "book/01.md"],
    ["the index page of a folder", "README.md", "book/index.html", "book/index.md"],
    ["an absolute path", "ja/guides/install.mdx", "/en/guides/styling/", "en/guides/styling.mdx"],
    [
      "an absolute path of a site below",
      "en/guides/styling.mdx",
      "/guides/install/",
      "en/guides/install.mdx",
    ],
    ["relative to the page as a folder", "en/guides/styling.mdx", "../install/", "en/guides/install.mdx"],
    ["another letter case, if nothing else fits", "README.md", "NOTES/PLAN.md", "notes/plan.md"],
    ["itself", "notes/plan.md", "?x", "notes/plan.md"],
    ["a folder without a page", "README.md", "notes/", "folder"],
    ["another file", "README.md", "img/a.tar.gz", "file"],
    ["a place above the root", "README.md", "../other/x.md", "outside"],
    ["a place above the root, in between", "notes/plan.md", "../../x/notes/plan.md", "outside"],
    ["a document that is not there", "README.md", "gone.md", "broken"],
    ["a page that is not there", "README.md", "/guides/gone/", "broken"],
    ["a page of HTML that is not there", "README.md", "gone.html", "broken"],
    ["a version that is no extension", "README.md", "v9.9", "broken"],
    ["a note by its name", "README.md", "[[plan]]", "notes/plan.md"],
    ["a note with extension", "README.md", "[[plan.mdx]]", "notes/plan.mdx"],
    ["a note with heading and alias", "README.md", "[[plan#Today|the plan]]", "notes/plan.md"],
    ["a note with a block", "README.md", "[[plan^b1]]", "notes/plan.md"],
    ["a note with a dot in its name", "README.md", "[[v1.2]]", "notes/v1.2.md"],
    ["a note by the end of its path", "README.md", "[[archive/Meeting]]", "notes/archive/Meeting.md"],
    ["the nearest of several", "notes/archive/Meeting.md", "[[Meeting]]", "notes/archive/Meeting.md"],
    ["the nearest of several, a folder up", "projects/x/readme.md", "[[Meeting]]", "projects/Meeting.md"],
    ["a note in another letter case", "README.md", "[[MEETING]]", "notes/Meeting.md"],
    ["a note in Japanese, decomposed", "README.md", "[[カ\u3099イド]]", "手順/ガイド.md"],
    ["a note with a relative path", "notes/archive/Meeting.md", "[[../plan]]", "notes/plan.md"],
    ["its own heading", "notes/plan.md", "[[|x]]", "notes/plan.md"],
    ["an embedded picture", "README.md", "[[picture.png]]", "file"],
    ["a folder", "README.md", "[[notes]]", "folder"],
    ["a note that is not there", "README.md", "[[Gone]]", "broken"],
    ["part of a name is no name", "README.md", "[[eeting]]", "broken"],
  ])("leads to %s", (_, from, written, expected) => {
    expect(resolve(from, written)).toBe(expected);
  });

  test("names the other documents of the same name, nearest first", () => {
    const found = new LinkResolver(PATHS).resolve("projects/x/readme.md", {
      kind: "wiki",
      target: "Meeting",
    });
    expect(found).toEqual({
      kind: "document",
      path: "projects/Meeting.md",
      others: ["notes/Meeting.md", "notes/archive/Meeting.md"],
    });
  });

  test("a document that comes is found, one that goes is broken", () => {
    const link = { kind: "markdown", target: "new.md" } as const;
    expect(new LinkResolver(PATHS).resolve("README.md", link)).toEqual({ kind: "broken" });
    expect(new LinkResolver([...PATHS, "new.md"]).resolve("README.md", link)).toMatchObject({
      path: "new.md",
    });
  });

  test("answers for any text, the same for the same paths, and only with documents there are", () => {
    const part = fc.constantFrom(
      "a",
      "b",
      "..",
      ".",
      "",
      "%",
      "%41",
      "#x",
      "?",
      "|",
      "a.md",
      "A",
      "\\",
      "^",
      "é",
      "\ud800",
    );
    const target = fc.array(part, { maxLength: 6 }).map((parts) => parts.join("/"));
    const paths = fc.uniqueArray(
      fc.constantFrom("a.md", "b.md", "a/b.md", "A/a.mdx", "b/index.md", "b/é.txt"),
    );
    fc.assert(
      fc.property(paths, target, fc.constantFrom("markdown", "wiki"), (unsorted, written, kind) => {
        const known = unsorted.sort(compareCodePoints);
        const [first, second] = [new LinkResolver(known), new LinkResolver(known)];
        for (const from of ["a/x.md", ...known]) {
          const found = first.resolve(from, { kind, target: written });
          expect(second.resolve(from, { kind, target: written })).toEqual(found);
          if (found.kind === "document") expect([from, ...known]).toContain(found.path);
        }
        // What was asked before makes no difference.
        for (const from of known)
          expect(new LinkResolver(known).resolve(from, { kind, target: written })).toEqual(
            first.resolve(from, { kind, target: written }),
          );
      }),
    );
  });
});
