import { describe, expect, test } from "bun:test";
import { readWrittenFrontMatter } from "../../src/source/front-matter-values.ts";

describe("readWrittenFrontMatter", () => {
  test("keeps kinds and spelling, with the lines of the keys", () => {
    const { values, lines, problems } = readWrittenFrontMatter(
      "---\ntitle: 'A b'\ndate: 2026-1-5\ndepth: 3\ntags:\n  - a\n  - 2\ncategory: [x]\ntopic: { a: b }\nother: 1\n---\n# T\n",
    );
    expect(Object.fromEntries(values)).toEqual({
      title: { kind: "text", text: "A b" },
      date: { kind: "text", text: "2026-1-5" },
      depth: { kind: "text", text: "3" },
      tags: { kind: "list", items: ["a", "2"] },
      category: { kind: "list", items: ["x"] },
      topic: { kind: "other" },
    });
    expect(Object.fromEntries(lines)).toEqual({
      title: 2,
      date: 3,
      depth: 4,
      tags: 5,
      category: 8,
      topic: 9,
    });
    expect(problems).toEqual([
      "`category` is not a text and is ignored",
      "`topic` is not a text and is ignored",
    ]);
  });

  test("takes keys without a value as empty", () => {
    const { values } = readWrittenFrontMatter("---\ntitle:\ntags:\n---\n");
    expect(Object.fromEntries(values)).toEqual({
      title: { kind: "text", text: "" },
      tags: { kind: "list", items: [] },
    });
  });

  test("tells broken YAML, and still gives what can be read", () => {
    const { values, problems } = readWrittenFrontMatter("---\ntitle: A\nx: [\ntags: a, b\n---\n");
    expect(values.get("title")).toEqual({ kind: "text", text: "A" });
    expect(values.get("tags")).toEqual({ kind: "list", items: ["a", "b"] });
    expect(problems[0]).toStartWith("broken YAML");
  });

  test("tells duplicate keys; the last one counts", () => {
    const { values, problems, lines } = readWrittenFrontMatter("---\ntitle: A\ntitle: B\n---\n");
    expect(values.get("title")).toEqual({ kind: "text", text: "B" });
    expect(lines.get("title")).toBe(3);
    expect(problems).toEqual(["duplicate key `title`; the last one counts"]);
  });

  test("of two blocks the first counts", () => {
    const { values, problems } = readWrittenFrontMatter("---\ntitle: A\n---\n---\ntitle: B\ntopic: c\n---\n");
    expect(Object.fromEntries(values)).toMatchObject({ title: { text: "A" }, topic: { text: "c" } });
    expect(problems).toHaveLength(1);
  });

  test.each(["", "# T\n", "---\nno mapping\n---\n", "---\ntitle: A\n", `---\n${"[".repeat(20_000)}\n---\n`])(
    "finds nothing in %.20p",
    (text) => {
      expect(readWrittenFrontMatter(text).values.size).toBe(0);
    },
  );
});
