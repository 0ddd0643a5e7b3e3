/**
 * `kb doctor` on indexes and documents with a planted fault: each is found with its remedy, and doing what
 * the remedy says cures it.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, chmodSync, chownSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { acquireWriterLock } from "../../src/store/writer-lock.ts";
import {
  changeIndex,
  examine,
  expectHealthy,
  findingOf,
  indexedNotes,
  indexFileOf,
  typeRemedy,
} from "../support/doctor.ts";
import { asPlainUser, runJson } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

describe("kb doctor on an index", () => {
  const damages: [what: string, id: string, plant: (folder: TestFolder) => void][] = [
    ["cut in half", "index-file", (folder) => truncateSync(indexFileOf(folder), 8192)],
    [
      "full of garbage",
      "index-file",
      (folder) => writeFileSync(indexFileOf(folder), Buffer.alloc(99_999, "x")),
    ],
    ["of another schema", "index-file", (folder) => changeIndex(folder, "PRAGMA user_version = 999")],
    [
      "without some vectors",
      "inconsistent-index",
      (folder) => changeIndex(folder, "DELETE FROM chunk_vectors"),
    ],
    [
      "without some full text",
      "inconsistent-index",
      (folder) => changeIndex(folder, "DELETE FROM chunk_terms WHERE rowid = 1"),
    ],
    [
      "of another model",
      "other-model",
      (folder) =>
        changeIndex(
          folder,
          "UPDATE meta SET value = json_set(value, '$.name', 'another-model') WHERE key = 'embedder'",
        ),
    ],
    ["named by a broken pointer", "index-folder", (folder) => folder.write(".kb/current", "nonsense\n")],
  ];
  test.each(damages)("%s finds %s, and its remedy cures it", async (_what, id, plant) => {
    using folder = await indexedNotes();
    plant(folder);
    const finding = await findingOf(folder, id);
    expect(finding.severity).toBe("error");
    expect(finding.remedy).toStartWith("kb index");
    typeRemedy(finding.remedy);
    await expectHealthy(folder);
  });

  const states: [what: string, id: string, plant: (folder: TestFolder) => void][] = [
    [
      "that a killed run left",
      "unfinished-run",
      (folder) =>
        changeIndex(
          folder,
          "UPDATE meta SET value = 'running' WHERE key = 'run_state'",
          "UPDATE meta SET value = '' WHERE key = 'run_outcome'",
        ),
    ],
    [
      "with vectors still to be made",
      "pending-vectors",
      (folder) =>
        changeIndex(folder, "DELETE FROM chunk_vectors", "INSERT INTO pending_vectors SELECT id FROM chunks"),
    ],
    [
      "made by another version",
      "outdated-documents",
      (folder) => changeIndex(folder, "UPDATE readings SET parser_version = '0'"),
    ],
    ["behind its folder", "changed-files", (folder) => appendFileSync(folder.at("a.md"), "\nMore.\n")],
    ["with files of an earlier one", "left-overs", (folder) => folder.write(".kb/index-9.db", "left")],
  ];
  test.each(states)("%s finds %s, and its remedy cures it", async (_what, id, plant) => {
    using folder = await indexedNotes();
    plant(folder);
    const { findings } = await examine(folder);
    expect(findings).toMatchObject([{ id, severity: "warning" }]);
    typeRemedy(findings[0].remedy.replace(/^If no other kb serves .*?: /, ""));
    await expectHealthy(folder);
  });

  test("that is being written finds by whom, and is in order once that process has ended", async () => {
    using folder = await indexedNotes();
    {
      using _lock = acquireWriterLock(folder.at(".kb"));
      const finding = await findingOf(folder, "being-written");
      expect(finding.sentence).toContain(`process ${process.pid} `);
      expect(finding.remedy).toContain(`kill ${process.pid}`);
    }
    await expectHealthy(folder);
  });

  test("that is a link finds what to remove", async () => {
    using folder = new TestFolder();
    folder.write("a.md", "# A\n\nText.\n");
    symlinkSync("/nonexistent", folder.at(".kb"));
    const finding = await findingOf(folder, "index-folder");
    typeRemedy(finding.remedy.replace(/^Remove it: /, ""));
    expect((await examine(folder)).findings).toMatchObject([{ id: "no-index" }]);
  });
});

describe("kb doctor on documents", () => {
  test("finds files that cannot be read, and documents that are stale", async () => {
    using home = new TestFolder();
    const plain = asPlainUser(home.path);
    using folder = new TestFolder();
    for (const path of ["a.md", "b.md"]) folder.write(path, "# Note\n\nThe valve is behind the boiler.\n");
    if (plain.uid !== undefined)
      for (const path of ["a.md", "b.md"]) chownSync(folder.at(path), plain.uid, plain.uid);
    chmodSync(folder.at("b.md"), 0);
    await runJson(["index", folder.path], plain);
    chmodSync(folder.at("a.md"), 0);
    await runJson(["index", folder.path], plain);

    const { findings } = await examine(folder, plain);
    expect(findings).toMatchObject([
      { id: "stale-documents", count: 1, samples: ["a.md: no permission to read it"] },
      { id: "unreadable-files", count: 1, samples: ["b.md: no permission to read it"] },
    ]);
    for (const { remedy } of findings) expect(remedy).toMatch(/chmod u\+r.*kb index/);
    for (const path of ["a.md", "b.md"]) chmodSync(folder.at(path), 0o644);
    await runJson(["index", folder.path], plain);
    await expectHealthy(folder, plain);
  });

  test("finds files that gave no document, until they are mended or left out", async () => {
    using folder = await indexedNotes();
    folder.write("nul.md", "a\u0000b");
    await runJson(["index", folder.path]);
    const finding = await findingOf(folder, "skipped-files");
    expect(finding).toMatchObject({
      severity: "info",
      count: 1,
      samples: [expect.stringMatching(/^nul\.md: /)],
    });
    expect(finding.remedy).toContain(".kbignore");
    folder.write(".kbignore", "nul.md\n");
    await runJson(["index", folder.path]);
    await expectHealthy(folder);
  });
});
