/**
 * Indexes that are broken, foreign or made by another version: refused with the remedy,
 * which then works.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changeDatabase } from "../support/change-database.ts";
import { type Damage, DamageStage } from "../support/damage-rounds.ts";
import { generateDocument } from "../support/documents.ts";
import { runJson, runKb } from "../support/run-binary.ts";
import { canMount, SmallDisk } from "../support/small-disk.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

/** A folder with a small index, closed and without side files. */
async function indexedFolder(): Promise<{ folder: TestFolder; file: string }> {
  const folder = new TestFolder();
  for (let number = 0; number < 20; number++)
    folder.write(
      `note-${number}.md`,
      `# Note ${number}\n\nThe rollback of number ${number} took ${number} minutes.\n`,
    );
  await runJson(["index", folder.path, "--no-vectors"]);
  const file = folder.at(".kb", folder.read(".kb/current").trim());
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
  return { folder, file };
}

/** Refused with `code` by searching; made anew by `kb index --force`; then it answers. */
async function expectRefusedThenRepaired(
  folder: TestFolder,
  code: string,
  ...parts: readonly string[]
): Promise<void> {
  const { error } = await runJson(["search", "rollback", "--kb", folder.path], {}, 3);
  expect(error.code).toBe(code);
  expect(error.hint).toContain("kb index --force");
  for (const part of parts) expect(error.message).toContain(part);

  await runJson(["index", folder.path, "--force", "--no-vectors"]);
  const answer = await runJson(["search", "rollback", "--kb", folder.path]);
  expect(answer.results).toHaveLength(5);
}

describe("an index file", () => {
  const damages: [what: string, damage: (file: string) => void][] = [
    ["full of garbage", (file) => writeFileSync(file, Buffer.alloc(65_536, "garbage"))],
    ["cut after its first page", (file) => truncateSync(file, 4096)],
    ["cut in half", (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ["cut inside its header", (file) => truncateSync(file, 40)],
  ];
  test.each(damages)("%s is refused as corrupt", async (_what, damage) => {
    const { folder, file } = await indexedFolder();
    using _ = folder;
    damage(file);
    await expectRefusedThenRepaired(folder, "corrupt");
  });

  test("that is empty is refused", async () => {
    const { folder, file } = await indexedFolder();
    using _ = folder;
    truncateSync(file, 0);
    const { error } = await runJson(["search", "rollback", "--kb", folder.path], {}, 3);
    expect(["corrupt", "incompatible", "missing"]).toContain(error.code);
    await runJson(["index", folder.path, "--force", "--no-vectors"]);
    expect((await runJson(["search", "rollback", "--kb", folder.path])).results).toHaveLength(5);
  });

  test.each([0, 999])("of schema %d is refused with both numbers", async (version) => {
    const { folder, file } = await indexedFolder();
    using _ = folder;
    const own = changeDatabase(file, (db) => {
      const { user_version } = db.query("PRAGMA user_version").get() as { user_version: number };
      db.run(`PRAGMA user_version = ${version}`);
      return user_version;
    });
    await expectRefusedThenRepaired(folder, "incompatible", String(version), String(own));
  });

  test("of another program's database is refused", async () => {
    const { folder, file } = await indexedFolder();
    using _ = folder;
    rmSync(file);
    changeDatabase(file, (db) => db.run("CREATE TABLE songs (title TEXT)"));
    const { error } = await runJson(["search", "rollback", "--kb", folder.path], {}, 3);
    expect(["corrupt", "incompatible"]).toContain(error.code);
  });

  test("made with another model is refused by a search, with both names, until its vectors are made anew", async () => {
    const { folder, file } = await indexedFolder();
    using _ = folder;
    await runJson(["index", folder.path]);
    const changed = changeDatabase(file, (db) =>
      db.run("UPDATE meta SET value = json_set(value, '$.name', 'another-model') WHERE key = 'embedder'"),
    );
    expect(changed.changes).toBe(1);
    const { error } = await runJson(["search", "rollback", "--kb", folder.path], {}, 3);
    expect(error.code).toBe("incompatible");
    expect(error.message).toContain("another-model");
    expect(error.message).toContain("e5");
    expect(error.hint).toContain("`kb index`");
    const run = await runJson(["index", folder.path]);
    expect(run).toMatchObject({ updated: 0, unchanged: 20, vectors: { replaced_model: "another-model" } });
    expect(run.vectors).toMatchObject({ coverage: 1, embedded: run.chunks, pending: 0 });
    const answer = await runJson(["search", "rollback", "--kb", folder.path]);
    expect(answer.index).toMatchObject({ state: "ready", vectors: 1 });
    expect(answer.degraded).toBeUndefined();
  });

  test("that moved with its folder goes on working", async () => {
    const { folder } = await indexedFolder();
    using _ = folder;
    using other = new TestFolder();
    cpSync(folder.path, other.at("moved"), { recursive: true, preserveTimestamps: true });
    expect((await runJson(["search", "rollback", "--kb", other.at("moved")])).results).toHaveLength(5);
    const run = await runJson(["index", other.at("moved"), "--no-vectors"]);
    expect({ documents: run.documents, added: run.added, removed: run.removed }).toEqual({
      documents: 20,
      added: 0,
      removed: 0,
    });
  });
});

describe("kb index on an index that is damaged", () => {
  test.each<[what: string, damage: (file: string) => void]>([
    ["cut in half", (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ["full of garbage", (file) => writeFileSync(file, Buffer.alloc(65_536, "garbage"))],
  ])("(%s) makes it anew, says why, and leaves the documents alone", async (_what, damage) => {
    const { folder, file } = await indexedFolder();
    using _ = folder;
    const before = folder.read("note-3.md");
    damage(file);
    const report = await runJson(["index", folder.path, "--no-vectors"]);
    expect(report).toMatchObject({ documents: 20, added: 20 });
    expect(report.rebuilt_because).toContain(file);
    expect((await runJson(["search", "rollback", "--kb", folder.path])).results).toHaveLength(5);
    expect(folder.read("note-3.md")).toBe(before);
    expect(generationsIn(folder.at(".kb"))).toEqual(["index-2.db"]);
  });

  test("finds a contradiction with --verify, or after a run that did not finish", async () => {
    const { folder, file } = await indexedFolder();
    using _ = folder;
    const damages: [sql: string, ...how: string[]][] = [
      ["DELETE FROM pending_vectors WHERE chunk_id = 7", "--verify"],
      [
        "DELETE FROM chunk_texts WHERE first_chunk_id = 3; UPDATE meta SET value = 'running' WHERE key = 'run_state'",
      ],
    ];
    let index = file;
    for (const [sql, ...how] of damages) {
      changeDatabase(index, (db) => db.run(sql));
      expect((await runJson(["index", folder.path, "--no-vectors"])).rebuilt_because !== undefined).toBe(
        how.length === 0,
      );
      const report = await runJson(["index", folder.path, "--no-vectors", ...how]);
      expect(report.documents).toBe(20);
      if (how.length > 0) expect(report.rebuilt_because).toContain("note-");
      index = report.index_file;
    }
  });

  test("or one whose names have turned into something else", async () => {
    const { folder, file } = await indexedFolder();
    using _ = folder;
    changeDatabase(file, (db) =>
      db.run("UPDATE documents SET path = CAST(path AS BLOB), title = 7 WHERE id > 3"),
    );
    for (const command of [
      ["get", "note-33.md"],
      ["search", "rollback"],
    ]) {
      const result = await runKb([...command, "--kb", folder.path, "--json"]);
      expect([0, 3]).toContain(result.code);
    }
    const got = await runJson(["get", "note-33.md", "--kb", folder.path], {}, 3);
    expect(got.error).toMatchObject({ code: "corrupt", hint: expect.stringContaining("kb index --force") });
    await runJson(["index", folder.path, "--force", "--no-vectors"]);
    expect((await runJson(["search", "rollback", "--kb", folder.path])).results).toHaveLength(5);
  });

  test("does not touch another program's database", async () => {
    const { folder, file } = await indexedFolder();
    using _ = folder;
    rmSync(file);
    changeDatabase(file, (db) => db.run("CREATE TABLE songs (title TEXT)"));
    const { error } = await runJson(["index", folder.path], {}, 3);
    expect(error).toMatchObject({ code: "corrupt", hint: expect.stringContaining("Move that file away") });
    expect(folder.list(".kb")).toContain("index-1.db");
  });
});

describe("random damage", () => {
  test.each(["", "-wal", "-shm"] as const)(
    "of index.db%s never ends as a bug, and --force mends it",
    async (suffix) => {
      using stage = await DamageStage.make(suffix);
      const { bytes } = stage;
      const damages: Damage[] = [
        { kind: "flip bits", bits: [8 * Math.floor(bytes * Math.random())] },
        { kind: "zeros", at: Math.floor(bytes * Math.random()), bytes: 5000 },
      ];
      for (const damage of damages)
        expect({ damage, ...(await stage.round(damage)) }).toMatchObject({ problems: [] });
    },
  );
});

describe.if(canMount)("a full disk", () => {
  test("is named; searching goes on, nothing half-built stays, and with space the run is completed", async () => {
    using disk = new SmallDisk("size=3m,mode=0777");
    for (let number = 0; number < 20; number++)
      writeFileSync(
        join(disk.path, `note-${number}.md`),
        `# Note ${number}\n\nThe rollback took ${number} minutes.\n`,
      );
    await runJson(["index", disk.path, "--no-vectors"]);
    for (let number = 20; number < 400; number++)
      writeFileSync(join(disk.path, `log-${number}.md`), generateDocument(number, 1));
    for (const how of [[], ["--force"]]) {
      const { error } = await runJson(["index", disk.path, "--no-vectors", ...how], {}, 3);
      expect(error.code).toBe("io");
      expect(error.message + error.hint).toMatch(/full|space/);
      expect((await runJson(["search", "rollback", "--kb", disk.path])).results.length).toBeGreaterThan(0);
      expect(generationsIn(join(disk.path, ".kb"))).toEqual(["index-1.db"]);
    }
    disk.remount("size=30m");
    expect((await runJson(["index", disk.path, "--no-vectors"])).documents).toBe(400);
    expect((await runJson(["index", disk.path, "--no-vectors", "--verify"])).rebuilt_because).toBeUndefined();
    disk.remount("ro");
    expect((await runJson(["search", "rollback", "--kb", disk.path])).results).toHaveLength(5);
  });
});

describe(".kb/current", () => {
  test.each([
    "index-99.db\n",
    "../../../etc/passwd\n",
    "/etc/passwd\n",
    "",
    "index-1.db\nindex-2.db\n",
    "\u0000",
  ])("holding %j is refused or read as no index, and indexing mends it", async (content) => {
    const { folder } = await indexedFolder();
    using _ = folder;
    folder.write(".kb/current", content);
    const result = await runKb(["search", "rollback", "--kb", folder.path, "--json"]);
    if (result.code !== 0) {
      expect(result.code).toBe(3);
      expect(JSON.parse(result.stdout).error.hint).toContain("kb index");
    }
    await runJson(["index", folder.path, "--force", "--no-vectors"]);
    expect((await runJson(["search", "rollback", "--kb", folder.path])).results).toHaveLength(5);
  });

  test("is replaced by --force, whose run leaves one generation", async () => {
    const { folder } = await indexedFolder();
    using _ = folder;
    const before = folder.read(".kb/current");
    await runJson(["index", folder.path, "--force", "--no-vectors"]);
    const after = folder.read(".kb/current");
    expect(after).not.toBe(before);
    expect(generationsIn(folder.at(".kb"))).toEqual([after.trim()]);
  });
});

function generationsIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.endsWith(".db"));
}
