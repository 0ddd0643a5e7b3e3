/**
 * An index that an earlier build made is read, searched and brought up to date by this one.
 *
 * Where this fails because a table changed its form or its meaning, raise `SCHEMA_VERSION` and
 * make the index of the new version with `scripts/fixture-index.ts`.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { SCHEMA_VERSION } from "../../src/store/schema.ts";
import { FIXTURE_DOCUMENTS, fixtureIndexFile } from "../support/fixture-index.ts";
import { readRows, withoutVectors } from "../support/kill-rounds.ts";
import { runJson, type WireValue } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(60_000);

test("the committed index of this schema version is searched, and updated to what a fresh one is", async () => {
  using folder = new TestFolder();
  for (const [path, text] of FIXTURE_DOCUMENTS) folder.write(path, text);
  using fresh = TestFolder.copyOf(folder.path);
  folder.write(".kb/index-1.db", Bun.gunzipSync(readFileSync(fixtureIndexFile(SCHEMA_VERSION))));
  folder.write(".kb/current", "index-1.db\n");

  const search = async (query: string) => {
    const answer = await runJson(["search", query, "--kb", folder.path]);
    return { vectors: answer.index.vectors, paths: answer.results.map((hit: WireValue) => hit.path) };
  };
  const first = await search("shioctl rollback");
  expect({ ...first, paths: first.paths[0] }).toEqual({ vectors: 1, paths: "runbooks/rollback.md" });
  expect((await search("検索基盤の移行")).paths[0]).toBe("会議/八月.md");
  expect((await search("what to do with pipes in winter")).paths).toContain("notes.txt");

  for (const place of [folder, fresh]) {
    place.write("new.md", "# New\n\nA document that came later.\n");
    place.write("notes.txt", "The zirconium valve is gone.\n");
    place.rename("runbooks/rollback.md", "archive/rollback.md");
  }
  const report = await runJson(["index", folder.path, "--verify"]);
  expect(report).toMatchObject({ documents: 4, vectors: { coverage: 1, pending: 0 } });
  expect(report.rebuilt_because).toBeUndefined();
  await runJson(["index", fresh.path]);
  expect(withoutVectors(readRows(folder.path))).toEqual(withoutVectors(readRows(fresh.path)));
});
