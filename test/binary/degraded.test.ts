/**
 * What a search answers when a part of it cannot work, or nothing can be found: over the command
 * line and MCP alike, a lesser answer and a sentence, not an error.
 */

import type { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { changeDatabase, overwriteFirstPage } from "../support/change-database.ts";
import { RawClient } from "../support/mcp-client.ts";
import { runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

function makeFolder(): TestFolder {
  const folder = new TestFolder();
  folder.write("ops/backup.md", "# Backup\n\nThe nightly backup of the orders database runs at two.\n");
  folder.write("hr/休暇.md", "# 休暇\n\n年次有給休暇は、入社から六か月たった日に付与される。\n");
  folder.write("hr/later.md", "# Later\n\nTODO\n");
  for (let number = 0; number < 20; number++)
    folder.write(`notes/${number}.md`, `# Note ${number}\n\nThe rollback of ${number} took some minutes.\n`);
  return folder;
}

/** The structured answer of both, which must be the same, but that MCP adds addresses and names no places of this machine. */
async function searchBoth(
  folder: TestFolder,
  input: { readonly query: string } & Record<string, unknown>,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<WireValue> {
  const args = ["search", "--kb", folder.path, "--refresh", "never", ...flags, "--", input.query];
  const { index: _, ...fromCli } = await runJsonBefore(args, env);
  await using client = new RawClient(["--kb", folder.path, "--no-index"], { env });
  await client.initialize();
  const result = await client.callTool("search", input);
  expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
  const { index: __, ...fromMcp } = result.structuredContent;
  const withoutPlaces = JSON.parse(JSON.stringify(fromCli).replaceAll(folder.path, "the folder"));
  const withoutUris = fromMcp.results.map(({ uri: ___, ...hit }: WireValue) => hit);
  expect({ ...fromMcp, results: withoutUris }).toEqual(withoutPlaces);
  const told = withoutPlaces.degraded_reason ?? withoutPlaces.query_info.reason;
  if (told !== undefined) expect(result.content[0].text).toContain(told);
  return fromCli;
}

/** `--json` goes before the `--` that protects the query. */
async function runJsonBefore(args: readonly string[], env: Readonly<Record<string, string>>) {
  const [command, ...rest] = args;
  const result = await runKb([command!, "--json", ...rest], { env });
  expect(result.code, result.stdout + result.stderr).toBe(0);
  return JSON.parse(result.stdout) as WireValue;
}

describe("without vectors that work", () => {
  const damages: readonly (readonly [string, (db: Database) => void, string])[] = [
    ["the table of vectors is gone", (db) => db.run("DROP TABLE chunk_vectors"), "kb index --force"],
    ["the table of vectors is empty", (db) => db.run("DELETE FROM chunk_vectors"), "kb index --force"],
    [
      "one vector is too short",
      (db) => db.run("UPDATE chunk_vectors SET embedding = substr(embedding, 1, 100) WHERE chunk_id = 7"),
      "kb index --force",
    ],
    [
      "all vectors are those of a wider model",
      (db) => db.run("UPDATE chunk_vectors SET embedding = embedding || embedding"),
      "kb index --force",
    ],
    [
      "no vector was made yet",
      (db) => {
        db.run("INSERT INTO pending_vectors SELECT chunk_id FROM chunk_vectors");
        db.run("DELETE FROM chunk_vectors");
      },
      "kb index",
    ],
  ];

  describe.each(["sqlite-vec", "js"])("compared by %s", (engine) => {
    test.each(damages)(
      "(%s) the words answer, and the answer says what is missing",
      async (_, damage, remedy) => {
        using folder = makeFolder();
        await runJson(["index", folder.path]);
        changeDatabase(indexFile(folder), damage);
        const env = { KB_VECTOR_ENGINE: engine };
        for (const [query, path] of [
          ["nightly backup", "ops/backup.md"],
          ["有給休暇の付与", "hr/休暇.md"],
        ] as const) {
          const answer = await searchBoth(folder, { query }, [], env);
          expect(answer.results[0].path).toBe(path);
          expect(answer).toMatchObject({ degraded: "dense", low_confidence: false });
          expect(answer.degraded_reason).toContain("by their words only");
          expect(answer.degraded_reason).toContain(remedy);
          expect(answer.confidence).not.toHaveProperty("cosine");
        }
      },
    );
  });

  test("(the pages of the table cannot be read) the words answer", async () => {
    using folder = makeFolder();
    await runJson(["index", folder.path]);
    overwriteFirstPage(indexFile(folder), "chunk_vectors");
    const answer = await searchBoth(folder, { query: "nightly backup" });
    expect(answer.results[0].path).toBe("ops/backup.md");
    expect(answer.degraded_reason).toContain("kb index --force");
  });

  test("(half of the vectors are gone, nobody knows why) both answer as far as they can", async () => {
    using folder = makeFolder();
    await runJson(["index", folder.path]);
    changeDatabase(indexFile(folder), (db) => db.run("DELETE FROM chunk_vectors WHERE chunk_id % 2 = 0"));
    for (const query of ["nightly backup", "有給休暇の付与", "rollback of 7"])
      expect((await searchBoth(folder, { query })).results.length).toBeGreaterThan(0);
  });

  test("(the full text is damaged) the damage is told, since the words carry every answer", async () => {
    using folder = makeFolder();
    await runJson(["index", folder.path]);
    overwriteFirstPage(indexFile(folder), "chunk_terms_data");
    const { error } = await runJson(["search", "nightly backup", "--kb", folder.path], {}, 3);
    expect(error).toMatchObject({ code: "corrupt", hint: expect.stringContaining("kb index --force") });
  });
});

describe("an answer without a result says why, and what to do", () => {
  let folder: TestFolder;
  beforeAll(async () => {
    folder = makeFolder();
    await runJson(["index", folder.path, "--no-vectors"]);
  });
  afterAll(() => folder[Symbol.dispose]());

  const cases: readonly (readonly [Record<string, unknown> & { query: string }, string[], string[]])[] = [
    [{ query: "" }, [], ["The query is empty", "Say what"]],
    [{ query: " \u3000" }, [], ["The query is empty", "Say what"]],
    [{ query: "", exclude: ["backup"] }, ["--exclude", "backup"], ["only says what to leave out", "Add"]],
    [{ query: "!?" }, [], ["no letters or digits", "three characters", "Add a word"]],
    [{ query: "=>=>" }, [], ["no letters or digits", "occurs in no passage", "Add a word"]],
    [{ query: "鯨座" }, [], ["No passage has anything of this", "other words"]],
    [
      { query: "nightly", exclude: ["backup"] },
      ["--exclude", "backup"],
      ["left out by", 'the excluded "backup"', "Filter less"],
    ],
    [{ query: "nightly -backup" }, [], ["left out by", 'the excluded "backup"', "Filter less"]],
    [
      { query: "nightly", path_globs: ["hr/**"] },
      ["--path-glob", "hr/**"],
      ["left out by", 'the globs "hr/**"', "Filter less"],
    ],
    [
      { query: "nightly", path_globs: ["nowhere/**"] },
      ["--path-glob", "nowhere/**"],
      ['No document\'s path matches the globs "nowhere/**"', "leave out that filter"],
    ],
    [{ query: "todo" }, [], ["left out by", "quality.threshold = 0.1"]],
    [
      { query: "nightly volcano giraffe eruption", min_confidence_ratio: 0.9 },
      ["--min-confidence", "0.9"],
      ["a confidence of 0.", "below the 0.9 asked for", "lower min_confidence_ratio"],
    ],
  ];
  test.each(cases)("%j", async (input, flags, parts) => {
    const answer = await searchBoth(folder, input, flags);
    expect(answer).toMatchObject({ results: [], low_confidence: true });
    for (const part of parts) expect(answer.query_info.reason).toContain(part);
  });

  test("in a folder without documents", async () => {
    using empty = new TestFolder();
    await runJson(["index", empty.path]);
    const answer = await searchBoth(empty, { query: "backup" });
    expect(answer.query_info.reason).toContain("no passage");
    expect(answer.query_info.reason).toContain("kb index");
  });
});

describe("kb search --min-confidence", () => {
  test.each(["high", "", "1.5", "-0.1"])("refuses %p, naming it", async (value) => {
    using folder = makeFolder();
    const result = await runKb(["search", "x", "--kb", folder.path, `--min-confidence=${value}`]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(value === "" ? '""' : value);
  });

  test("prints what the text form says of an unsure answer", async () => {
    using folder = makeFolder();
    await runJson(["index", folder.path, "--no-vectors"]);
    const unsure = await runKb(["search", "nightly volcano giraffe eruption", "--kb", folder.path]);
    expect(unsure.stderr).toContain("may not answer the question (confidence 0.");
    const sure = await runKb(["search", "nightly backup", "--kb", folder.path]);
    expect(sure.stderr).not.toContain("confidence");
  });
});

function indexFile(folder: TestFolder): string {
  return folder.at(".kb", folder.read(".kb/current").trim());
}
