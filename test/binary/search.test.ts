/**
 * `kb search`: the wire form, citations that can be cut out, filters, and text for a pipe.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync } from "node:fs";
import { asPlainUser, runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path]);
});
afterAll(() => folder[Symbol.dispose]());

const search = (query: string, ...more: readonly string[]) =>
  runJson(["search", query, "--kb", folder.path, ...more]);

describe("the wire form", () => {
  test("has these fields and no others", async () => {
    const answer = await search("shioctl rollback");
    expect(Object.keys(answer).sort()).toEqual(
      expect.arrayContaining(["engine", "filter_applied", "index", "query_info", "results", "span_unit"]),
    );
    expect(answer).toMatchObject({
      span_unit: "byte",
      filter_applied: {},
      query_info: { phrases: ["shioctl", "rollback"] },
      index: { state: "ready", vectors: 1, indexed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
      engine: { fusion: "convex" },
    });
    expect(answer).not.toHaveProperty("degraded");
    expect(answer.index).not.toHaveProperty("pending");
    for (const key of allKeys(answer)) expect(key).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
  });

  test("describes a hit by its document, place, and why it was found", async () => {
    const [hit] = (await search("shioctl rollback")).results;
    expect(hit).toMatchObject({
      path: "runbooks/deploy.md",
      title: "Releasing the cloud service",
      heading: "Going back",
      heading_path: expect.arrayContaining(["Going back"]),
      topic: "release",
      category: "runbooks",
      date: "2025-05-20",
      tags: ["release", "rollback"],
      matched_in: ["content"],
      encoding: "utf-8",
      score: expect.any(Number),
      quality: expect.any(Number),
      chunk_index: expect.any(Number),
      scores: {
        phrases: { rank: 1, raw: expect.any(Number), scaled: expect.any(Number) },
        dense: { rank: expect.any(Number), raw: expect.any(Number), scaled: expect.any(Number) },
      },
    });
  });

  test("orders hits by score, best first, and repeats itself", async () => {
    const first = await search("alerts at night", "--limit", "10");
    const scores = first.results.map((hit: WireValue) => hit.score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(first.results.length).toBe(10);
    expect((await search("alerts at night", "--limit", "10")).results).toEqual(first.results);
    expect((await search("alerts at night", "--limit", "3")).results).toEqual(first.results.slice(0, 3));
  });

  test("cites lines that hold the passage in the file", async () => {
    for (const query of ["shioctl rollback", "復元の手順", "E-4012"])
      for (const hit of (await search(query)).results) {
        const lines = folder
          .read(hit.path)
          .split("\n")
          .slice(hit.lines.start - 1, hit.lines.end);
        const file = lines.join("\n");
        for (const line of hit.content.split("\n").filter((text: string) => text.trim() !== ""))
          expect(file).toContain(line.trim());
      }
  });

  test("marks the terms by byte offsets into the content", async () => {
    let marked = 0;
    for (const query of ["rollback", "E-4012", '"put the previous"', "shioctl verify", "CSV 深夜"]) {
      const answer = await search(query);
      const terms = answer.query_info.phrases.map((phrase: string) => phrase.toLowerCase());
      for (const hit of answer.results) {
        const bytes = Buffer.from(hit.content);
        let end = 0;
        for (const span of hit.match_spans ?? []) {
          expect(span.start).toBeGreaterThanOrEqual(end);
          end = span.end;
          const text = bytes.subarray(span.start, span.end).toString().toLowerCase();
          expect(terms.some((term: string) => text.includes(term))).toBe(true);
          marked += 1;
        }
      }
    }
    expect(marked).toBeGreaterThan(5);
  });

  test.each(["byte", "utf16", "codepoint"])("marks Japanese terms in the unit %s", async (unit) => {
    const answer = await search("復元の手順", "--span-unit", unit);
    expect(answer.span_unit).toBe(unit);
    const marked = answer.results.flatMap((hit: WireValue) =>
      hit.match_spans.map(({ start, end }: { start: number; end: number }) => {
        if (unit === "byte") return Buffer.from(hit.content).subarray(start, end).toString();
        return unit === "utf16" ? hit.content.slice(start, end) : [...hit.content].slice(start, end).join("");
      }),
    );
    expect(marked).toContain("復元");
    for (const text of marked) expect("復元の手順").toContain(text);
  });

  test("leaves out what is excluded, by syntax and by option", async () => {
    const excluded = (answer: WireValue) => answer.filter_applied.exclude_terms;
    const plain = await search("復元 手順");
    expect(plain.results[0].path).toBe("runbooks/バックアップ.md");
    for (const answer of [
      await search("復元 手順 -検証環境"),
      await search("復元 手順", "--exclude", "検証環境"),
    ]) {
      expect(excluded(answer)).toEqual(["検証環境"]);
      for (const hit of answer.results) expect(hit.content).not.toContain("検証環境");
    }
  });
});

describe("answers", () => {
  const questions: [query: string, path: string][] = [
    ["rollback", "runbooks/deploy.md"],
    ["E-4012", "product/gateway.mdx"],
    ["shioctl db promote", "runbooks/database-failover.md"],
    ["電子請求書", "minutes/2025/2025-05-14-定例会議.md"],
    ["間違って消したデータを元に戻したい", "runbooks/バックアップ.md"],
    ["風邪で会社を休むときの連絡", "handbook/people/休暇と勤務.md"],
    ["what do I do if a thief takes my laptop?", "handbook/security.md"],
    ["why do customers leave us?", "minutes/2025/planning-2025-06.txt"],
    ["本を買うと会社がお金を出してくれるか", "handbook/経費精算.md"],
    ["電池はどのくらいもつのか", "handbook/用語集.md"],
  ];
  test.each(questions)("%s", async (query, path) => {
    const paths = (await search(query, "--limit", "3")).results.map((hit: WireValue) => hit.path);
    expect(paths).toContain(path);
  });
});

describe("--path-glob", () => {
  const rows: [globs: string[], matches: RegExp][] = [
    [["runbooks/**"], /^runbooks\//],
    [["**/*.md"], /\.md$/],
    [["**/*.{mdx,txt}"], /\.(mdx|txt)$/],
    [["runbooks/**", "product/**"], /^(runbooks|product)\//],
    [["!runbooks/**"], /^(?!runbooks\/)/],
    [["handbook/**", "!handbook/people/**"], /^handbook\/(?!people\/)/],
    [["**/バックアップ.md"], /^runbooks\/バックアップ\.md$/],
  ];
  test.each(rows)("of %j restricts all legs", async (globs, matches) => {
    const answer = await search(
      "release data sensor データ",
      "--limit",
      "50",
      ...globs.flatMap((glob) => ["--path-glob", glob]),
    );
    expect(answer.results.length).toBeGreaterThan(0);
    for (const hit of answer.results) expect(hit.path).toMatch(matches);
    expect(answer.filter_applied).toEqual({ path_globs: globs });
  });

  test("that matches nothing gives no hits, and no error", async () => {
    expect((await search("rollback", "--path-glob", "nowhere/**")).results).toEqual([]);
  });

  test("that matches nothing relevant still gives what is nearest there", async () => {
    const answer = await search("rollback", "--path-glob", "minutes/メモ.txt");
    for (const hit of answer.results) expect(hit.path).toBe("minutes/メモ.txt");
  });
});

describe("filters", () => {
  const notes = new TestFolder();
  beforeAll(async () => {
    notes.write(
      "ops/deploy/a.md",
      "---\ndate: 2026/1/5\ntags: [release, 運用]\n---\n# A\n\nThe harbour keeper wrote.\n",
    );
    notes.write(
      "ops/backup/b.md",
      "---\ndate: 2026年3月1日\ntags: [release]\n---\n# B\n\nThe harbour keeper read.\n",
    );
    notes.write("c.md", "# C\n\nTBD\n");
    await runJson(["index", notes.path]);
  });
  afterAll(() => notes[Symbol.dispose]());

  test.each([
    [["--category", "ops", "--topic", "backup"], ["ops/backup/b.md"]],
    [["--tag-all", "release,運用"], ["ops/deploy/a.md"]],
    [["--tag-all", "release", "--tag-all", "運用"], ["ops/deploy/a.md"]],
    [["--tag-any", "運用, none"], ["ops/deploy/a.md"]],
    [
      ["--tag-any", ""],
      ["ops/backup/b.md", "ops/deploy/a.md"],
    ],
    [["--date-from", "2026-02", "--date-to", "2026"], ["ops/backup/b.md"]],
    [["--include-low-quality"], ["c.md", "ops/backup/b.md", "ops/deploy/a.md"]],
    [["--min-quality", "0.9"], []],
  ])("%j leave %j", async (flags, paths) => {
    const answer = await runJson(["search", "harbour keeper", "--kb", notes.path, ...flags]);
    expect(answer.results.map((hit: WireValue) => hit.path).sort()).toEqual(paths);
  });

  test.each([
    [["--date-from", "soon"], "date_from: not a date"],
    [["--min-quality", "high"], '--min-quality takes a number, got "high"'],
    [["--tags-any", "x"], "Did you mean --tag-any?"],
  ])("%j are refused", async (flags, message) => {
    const result = await runKb(["search", "x", "--kb", notes.path, ...flags]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(message);
  });

  test("that leave nothing are named, with the nearest name", async () => {
    const answer = await runJson(["search", "harbour", "--kb", notes.path, "--tag-any", "relese"]);
    expect(answer.query_info.reason).toBe(
      'No document has the tag "relese". Did you mean release? Change or leave out that filter.',
    );
  });
});

describe("text for people", () => {
  test("names path and line of each hit, without escape codes in a pipe", async () => {
    const result = await runKb(["search", "rollback", "--kb", folder.path, "--limit", "2"]);
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/^1\. runbooks\/deploy\.md:\d+-\d+ /m);
    expect(result.stdout).not.toContain("\u001b");
  });

  test("takes colour where it is asked for", async () => {
    const forced = await runKb(["search", "rollback", "--kb", folder.path], { env: { FORCE_COLOR: "1" } });
    expect(forced.stdout).toContain("\u001b[");
    const refused = await runKb(["search", "rollback", "--kb", folder.path, "--no-color"], {
      env: { FORCE_COLOR: "1" },
    });
    expect(refused.stdout).not.toContain("\u001b");
  });

  test("never hands a document's control characters to the terminal", async () => {
    using hostile = new TestFolder();
    hostile.write(
      "a.md",
      "# \u001b]0;owned\u0007 title\n\nThe valve \u001b[31mred\u001b[0m and \u202etext.\n",
    );
    await runJson(["index", hostile.path, "--no-vectors"]);
    const result = await runKb(["search", "valve", "--kb", hostile.path]);
    expect(result.stdout).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});

describe("the root", () => {
  test("is found from a folder inside it", async () => {
    const inside = await runJson(["search", "rollback"], { cwd: folder.at("minutes", "2025") });
    expect(inside.results).toEqual((await search("rollback")).results);
    const byVariable = await runJson(["search", "rollback"], { env: { KB_PATH: folder.path } });
    expect(byVariable.results).toEqual(inside.results);
  });

  test("may be read-only, index and all", async () => {
    using readOnly = TestFolder.copyOf(folder.path);
    using open = new TestFolder();
    const makeWritable = (mode: number) => {
      for (const path of [readOnly.path, readOnly.at(".kb")]) chmodSync(path, mode);
    };
    makeWritable(0o555);
    try {
      const options = asPlainUser(open.path);
      const answer = await runJson(["search", "rollback", "--kb", readOnly.path], options);
      expect(answer.results[0].path).toBe("runbooks/deploy.md");
    } finally {
      makeWritable(0o755);
    }
  });
});

function allKeys(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(allKeys);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...allKeys(inner)]);
}
