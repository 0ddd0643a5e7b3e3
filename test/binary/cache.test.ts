/**
 * The folder that libraries and model are unpacked into: full of races, or not usable at all.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { type RunOptions, runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { canMount, SmallDisk } from "../support/small-disk.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(180_000);

/** A place that nobody can write to, root included. */
const UNWRITABLE = "/proc/kb";

const search = (folder: TestFolder, options: RunOptions) =>
  runJson(["search", "shioctl rollback", "--kb", folder.path], options);

/** Nothing is missing but speed, and the answer says why and what to do. */
function expectSlowOnly(answer: WireValue): void {
  expect(answer.degraded).toBeUndefined();
  expect(answer.results[0].path).toBe("runbooks/deploy.md");
  expect(answer.results[0].scores.dense).toBeDefined();
  expect(answer.engine.runtime).toContain("WebAssembly");
  expect(answer.engine.runtime_problem).toContain("KB_CACHE_DIR");
}

async function indexedSample(): Promise<TestFolder> {
  const folder = TestFolder.copyOf(SAMPLE_FOLDER);
  await runJson(["index", folder.path]);
  return folder;
}

describe("a cache folder that cannot be written", () => {
  test("is replaced by a private folder under the temporary one", async () => {
    using folder = await indexedSample();
    using temporary = new TestFolder();
    const answer = await search(folder, { env: { KB_CACHE_DIR: UNWRITABLE, TMPDIR: temporary.path } });
    expect(answer.degraded).toBeUndefined();
    const [made] = temporary.list();
    expect(statSync(temporary.at(made!)).mode & 0o777).toBe(0o700);
  });

  test("and no temporary one either: searching needs none, and says what to do", async () => {
    using folder = await indexedSample();
    const options = { env: { KB_CACHE_DIR: UNWRITABLE, TMPDIR: UNWRITABLE } };
    expectSlowOnly(await search(folder, options));
    const text = await runKb(["search", "shioctl rollback", "--kb", folder.path], options);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain("runbooks/deploy.md");
    expect(text.stderr).toContain("KB_CACHE_DIR");
  });

  test("and no temporary one either: indexing makes text and vectors, and says what to do", async () => {
    using folder = new TestFolder();
    folder.write("runbooks/deploy.md", "# Deploying\n\nA rollback is made with `shioctl rollback`.\n");
    const options = { env: { KB_CACHE_DIR: UNWRITABLE, TMPDIR: UNWRITABLE } };
    const { vectors } = await runJson(["index", folder.path], options);
    expect(vectors).toMatchObject({ coverage: 1, runtime_problem: expect.stringContaining("KB_CACHE_DIR") });
    expect(vectors).not.toHaveProperty("problem");
    expectSlowOnly(await search(folder, options));
  });

  test.skipIf(!canMount)("or runs no programs is told, and costs only time", async () => {
    using folder = await indexedSample();
    using disk = new SmallDisk("size=300m,noexec,mode=0700");
    const answer = await search(folder, {
      env: { KB_CACHE_DIR: join(disk.path, "cache"), TMPDIR: disk.path },
    });
    expectSlowOnly(answer);
  });

  test.skipIf(!canMount)("or is full leaves no half files behind", async () => {
    using folder = await indexedSample();
    using disk = new SmallDisk("size=2m,mode=0700");
    const options = { env: { KB_CACHE_DIR: join(disk.path, "cache"), TMPDIR: disk.path } };
    expectSlowOnly(await search(folder, options));
    disk.remount("size=300m");
    const { engine } = await search(folder, options);
    expect(engine.runtime).toContain("onnxruntime-node");
    expect(engine).not.toHaveProperty("runtime_problem");
  });
});

describe("an empty cache folder", () => {
  test("is filled by six processes at once, and all of them have vectors", async () => {
    using folder = await indexedSample();
    using cache = new TestFolder();
    const options = { env: { KB_CACHE_DIR: cache.at("kb") } };
    const answers = await Promise.all(Array.from({ length: 6 }, () => search(folder, options)));
    for (const answer of answers) {
      expect(answer.degraded).toBeUndefined();
      expect(answer.results[0].scores.dense).toBeDefined();
    }
    const leftOvers = filesBelow(cache.path).filter((path) =>
      /tmp|\.part|~/.test(path.slice(cache.path.length)),
    );
    expect(leftOvers).toEqual([]);
  });

  test("takes no more after many runs than after one", async () => {
    using folder = await indexedSample();
    using cache = new TestFolder();
    using temporary = new TestFolder();
    const options = { env: { KB_CACHE_DIR: cache.at("kb"), TMPDIR: temporary.path } };
    await search(folder, options);
    const before = filesBelow(cache.path);
    for (let run = 0; run < 5; run++) await search(folder, options);
    expect(filesBelow(cache.path)).toEqual(before);
    expect(temporary.list()).toEqual([]);
  });
});

describe("a damaged file in the cache", () => {
  test("is replaced", async () => {
    using folder = await indexedSample();
    using cache = new TestFolder();
    const options = { env: { KB_CACHE_DIR: cache.at("kb") } };
    await search(folder, options);
    for (const path of filesBelow(cache.path).filter((file) => statSync(file).size > 10_000))
      truncateSync(path, Math.floor(statSync(path).size / 2));
    expect((await search(folder, options)).degraded).toBeUndefined();
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
