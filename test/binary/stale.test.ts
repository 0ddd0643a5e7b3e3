/**
 * What a person sees of documents that cannot be read now, and of a run that verifies.
 *
 * What such runs do to the index is in `test/engine/indexing/text-stage-changes.test.ts`.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync } from "node:fs";
import { asPlainUser, runJson, runKb } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const NOTE = "# Valve\n\nThe zirconium valve is behind the boiler.\n";

describe("kb status", () => {
  test("names the documents that stay although they cannot be read now", async () => {
    using home = new TestFolder();
    using folder = new TestFolder();
    const plain = asPlainUser(home.path);
    folder.write("a.md", NOTE);
    folder.write("d/b.md", NOTE);
    if (plain.uid !== undefined)
      for (const path of ["a.md", "d"]) chownSync(folder.at(path), plain.uid, plain.uid);
    await runJson(["index", folder.path, "--no-vectors"], plain);
    expect(await runJson(["status", "--kb", folder.path], plain)).toMatchObject({ documents: 2, stale: [] });

    chmodSync(folder.at("a.md"), 0);
    chmodSync(folder.at("d"), 0);
    const report = await runJson(["index", folder.path, "--no-vectors"], plain);
    expect(report).toMatchObject({ documents: 2, removed: 0 });
    const reason = "no permission to read it";
    const status = await runJson(["status", "--kb", folder.path], plain);
    expect(status.stale).toEqual(["a.md", "d/b.md"].map((path) => ({ path, reason })));
    const { stdout } = await runKb(["status", "--kb", folder.path], plain);
    expect(stdout).toContain(`stale         2\n  a.md: ${reason}\n  d/b.md: ${reason}\nskipped       2\n`);
    chmodSync(folder.at("d"), 0o755);
  });
});

describe("kb index --verify", () => {
  test("reads every file and finds nothing to do where nothing changed", async () => {
    using folder = new TestFolder();
    folder.write("a.md", NOTE);
    await runJson(["index", folder.path, "--no-vectors"]);
    const report = await runJson(["index", folder.path, "--no-vectors", "--verify"]);
    expect(report).toMatchObject({ updated: 0, unchanged: 1 });
  });
});
