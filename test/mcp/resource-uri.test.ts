import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { documentUri, groupKeyOf, groupUri, parseResourceUri } from "../../src/mcp/resource-uri.ts";

describe("documentUri", () => {
  test.each([
    ["a.md", "kb://doc/a.md"],
    ["ops/back up.md", "kb://doc/ops/back%20up.md"],
    ["休暇.md", "kb://doc/%E4%BC%91%E6%9A%87.md"],
    ["a+b(1)'!*.md", "kb://doc/a%2Bb%281%29%27%21%2A.md"],
    ["100%.md", "kb://doc/100%25.md"],
  ])("names %s as %s", (path, uri) => {
    expect(documentUri(path)).toBe(uri);
  });

  test("is undone by parseResourceUri for every path that leads nowhere else", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => !/[/\\\0]/.test(text) && text !== "..");
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const path = names.join("/");
        expect(parseResourceUri(documentUri(path))).toEqual({ kind: "document", path });
        expect(parseResourceUri(groupUri(path))).toEqual({ kind: "group", key: path });
      }),
    );
  });
});

describe("parseResourceUri", () => {
  test("takes a group without folders for that of the root, and ignores slashes at the end", () => {
    expect(parseResourceUri("kb://topic/")).toEqual({ kind: "group", key: "" });
    expect(parseResourceUri("kb://topic/ops//")).toEqual({ kind: "group", key: "ops" });
  });

  test.each([
    "kb://doc/",
    "kb://doc",
    "KB://doc/a.md",
    "kb://docs/a.md",
    "file:///etc/passwd",
    "http://example.org/a.md",
    "kb://doc//etc/passwd",
    "kb://doc/%2Fetc/passwd",
    "kb://doc/../a.md",
    "kb://doc/a/%2e%2e/b.md",
    "kb://doc/a%2F..%2Fb.md",
    "kb://doc/a%5Cb.md",
    "kb://doc/a\\b.md",
    "kb://doc/a%00.md",
    "kb://doc/%",
    "kb://doc/%zz",
    "kb://doc/%FF.md",
    "kb://doc/%C0%AE%C0%AE/a.md",
    "kb://topic/..",
    "",
  ])("knows nothing under %j", (uri) => {
    expect(parseResourceUri(uri)).toBeUndefined();
  });
});

describe("groupKeyOf", () => {
  test.each([
    ["a.md", ""],
    ["ops/a.md", "ops"],
    ["ops/db/a.md", "ops/db"],
    ["ops/db/old/a.md", "ops/db"],
  ])("puts %s under %j", (path, key) => {
    expect(groupKeyOf(path)).toBe(key);
  });
});
