/**
 * `kb doctor` on the compiled program: nothing wrong on a healthy folder; each fault of the machine or the
 * configuration is found with its remedy. Faults of the index are in `doctor-index.test.ts`.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  examine,
  expectHealthy,
  findingOf,
  indexedNotes,
  indexFileOf,
  typeRemedy,
} from "../support/doctor.ts";
import { asPlainUser, runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { canMount, SmallDisk } from "../support/small-disk.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

describe("kb doctor on a healthy folder", () => {
  test("says that nothing is wrong, and what it looked at", async () => {
    using folder = await indexedNotes();
    const { code, stdout, stderr } = await runKb(["doctor", "--kb", folder.path]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^model +onnxruntime-node .*2 texts have the vectors they should/m);
    expect(stdout).toMatch(/^vector engine sqlite-vec$/m);
    expect(stdout).toMatch(/^consistency +pages, full text, passages and vectors agree$/m);
    expect(stdout).toEndWith("\nNothing is wrong.\n");
    expect(code).toBe(0);
  });

  test("prints one JSON document with all its fields", async () => {
    using folder = await indexedNotes();
    const report = await examine(folder);
    expect(Object.keys(report)).toEqual([
      "version",
      "commit",
      "platform",
      "root",
      "index_file",
      "documents",
      "chunks",
      "facts",
      "findings",
    ]);
    expect(report).toMatchObject({
      root: folder.path,
      index_file: indexFileOf(folder),
      documents: 2,
      chunks: 2,
    });
    for (const fact of report.facts)
      expect(fact).toEqual({ name: expect.any(String), value: expect.any(String) });
  });

  test("changes nothing in it", async () => {
    using folder = await indexedNotes();
    const before = statSync(indexFileOf(folder)).mtimeMs;
    await examine(folder);
    expect(statSync(indexFileOf(folder)).mtimeMs).toBe(before);
  });

  test("works as a user who may write nothing there", async () => {
    using home = new TestFolder();
    using folder = await indexedNotes();
    chmodSync(folder.path, 0o555);
    chmodSync(folder.at(".kb"), 0o555);
    await expectHealthy(folder, asPlainUser(home.path));
    chmodSync(folder.path, 0o755);
    chmodSync(folder.at(".kb"), 0o755);
  });

  test("works with WebAssembly and without sqlite-vec where they are asked for", async () => {
    using folder = await indexedNotes();
    await expectHealthy(folder, { env: { KB_RUNTIME: "wasm", KB_VECTOR_ENGINE: "js" } });
  });
});

describe("kb doctor without an index", () => {
  test("examines the machine and names the command that makes one", async () => {
    using folder = new TestFolder();
    folder.write("it's a note.md", "# Note\n\nSomething.\n");
    const finding = await findingOf(folder, "no-index");
    expect(finding.severity).toBe("warning");
    expect(folder.has(".kb")).toBe(false);
    typeRemedy(finding.remedy);
    await expectHealthy(folder);
  });

  test("examines the machine alone where no folder is named and none is found", async () => {
    const { code, stdout } = await runKb(["doctor"], { cwd: "/" });
    expect(code).toBe(1);
    expect(stdout).toContain("warning no-folder:");
    expect(stdout).toMatch(/^model +onnxruntime-node/m);
  });

  test("ends with 3 for a folder that is not there, and 2 for an unknown option", async () => {
    expect((await runJson(["doctor", "--kb", "/nonexistent"], {}, 3)).error.code).toBe("missing");
    expect((await runJson(["doctor", "--fast"], {}, 2)).error.code).toBe("usage");
  });
});

describe("kb doctor on the configuration", () => {
  test("finds an unknown key with the nearest name, and goes on", async () => {
    using folder = await indexedNotes();
    folder.write("kb.toml", "[serach]\nlimit = 3\n");
    const finding = await findingOf(folder, "configuration");
    expect(finding).toMatchObject({
      severity: "error",
      sentence: expect.stringContaining("Did you mean search?"),
    });
    folder.write("kb.toml", "[search]\nlimit = 3\n");
    await expectHealthy(folder);
  });

  test("finds what is ignored of a file that came with the documents", async () => {
    using folder = await indexedNotes();
    folder.write("kb.toml", '[index]\nindex_dir = "/elsewhere"\n');
    const finding = await findingOf(folder, "configuration-ignored");
    expect(finding.sentence).toContain("index.index_dir");
    folder.remove("kb.toml");
    await expectHealthy(folder);
  });

  test.each(["KB_RUNTIME", "KB_VECTOR_ENGINE"])("finds a wrong %s", async (name) => {
    using folder = await indexedNotes();
    const finding = await findingOf(folder, "variable", { env: { [name]: "fast" } });
    expect(finding).toMatchObject({ severity: "error", sentence: expect.stringContaining(name) });
    expect(finding.remedy).toContain(`Set ${name} to`);
  });
});

describe("kb doctor on the machine", () => {
  test("finds a cache folder that cannot be written, and that another one cures it", async () => {
    using folder = await indexedNotes();
    using temporary = new TestFolder();
    chmodSync(temporary.path, 0o700);
    const env = { KB_CACHE_DIR: "/proc/kb", TMPDIR: temporary.path };
    const { findings } = await examine(folder, { env });
    expect(findings).toMatchObject([{ id: "cache-folder", severity: "warning" }]);
    expect(findings[0].remedy).toContain("KB_CACHE_DIR");
    await expectHealthy(folder, { env: { ...env, KB_CACHE_DIR: temporary.at("cache") } });
  });

  test("finds what is slower where nothing can be unpacked", async () => {
    using folder = await indexedNotes();
    const { findings } = await examine(folder, { env: { KB_CACHE_DIR: "/proc/kb", TMPDIR: "/proc/kb" } });
    const ids = findings.map(({ id }: WireValue) => id).sort();
    expect(ids).toEqual(["cache-folder", "runtime", "temporary-folder", "vector-engine"]);
    for (const { severity, remedy } of findings) {
      expect(severity).toBe("warning");
      expect(remedy).toMatch(/^Set (?:KB_CACHE_DIR|TMPDIR) to/);
    }
  });

  test.skipIf(!canMount)("finds a cache folder on a disk that runs no programs", async () => {
    using folder = await indexedNotes();
    using disk = new SmallDisk("size=300m,noexec,mode=0700");
    const { facts, findings } = await examine(folder, {
      env: { KB_CACHE_DIR: disk.path, TMPDIR: disk.path },
    });
    expect(findings.map(({ id }: WireValue) => id).sort()).toEqual(["runtime", "vector-engine"]);
    expect(facts).toContainEqual({ name: "cache", value: expect.stringContaining("runs no programs") });
  });

  test.skipIf(!canMount)("finds a disk that has little space left", async () => {
    using disk = new SmallDisk("size=50m,mode=0777");
    mkdirSync(join(disk.path, "notes"));
    const { findings } = await runJson(["doctor", "--kb", join(disk.path, "notes")], {}, 1);
    expect(findings.map(({ id }: WireValue) => id)).toEqual(["disk-space", "no-index"]);
  });

  test("finds an index in a folder that a service copies elsewhere", async () => {
    using folder = new TestFolder();
    folder.write("Dropbox/notes/a.md", "# A\n\nText.\n");
    await runJson(["index", folder.at("Dropbox/notes")]);
    const { findings } = await runJson(["doctor", "--kb", folder.at("Dropbox/notes")], {}, 1);
    expect(findings).toMatchObject([{ id: "cloud-folder", severity: "warning" }]);
    expect(findings[0].remedy).toMatch(/index_dir.*--config/);

    const config = folder.write("own.toml", `[index]\nindex_dir = ${JSON.stringify(folder.at("local"))}\n`);
    const options = ["--kb", folder.at("Dropbox/notes"), "--config", config];
    await runJson(["index", ...options]);
    expect((await runJson(["doctor", ...options])).findings).toEqual([]);
  });

  test("makes no file in the temporary folder that stays", async () => {
    using folder = await indexedNotes();
    using temporary = new TestFolder();
    await expectHealthy(folder, { env: { TMPDIR: temporary.path } });
    expect(readdirSync(temporary.path)).toEqual([]);
  });

  test("--model-only examines only the model", async () => {
    const report = await runJson(["doctor", "--model-only"]);
    expect(report).toMatchObject({ root: null, findings: [] });
    expect(report.facts.map(({ name }: WireValue) => name)).toEqual(["model"]);
  });
});
