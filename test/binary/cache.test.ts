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

/** Why the answer is without vectors, or, where vectors need no unpacked file, why they were slow to make. */
function problemOf(answer: WireValue): string | undefined {
  return answer.degraded_reason ?? answer.engine.runtime_problem;
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

  test("and no temporary one either: searching goes on and says what to do", async () => {
    using folder = await indexedSample();
    const options = { env: { KB_CACHE_DIR: UNWRITABLE, TMPDIR: UNWRITABLE } };
    const answer = await search(folder, options);
    expect(problemOf(answer)).toContain("KB_CACHE_DIR");
    expect(answer.results[0].path).toBe("runbooks/deploy.md");
    const text = await runKb(["search", "shioctl rollback", "--kb", folder.path], options);
    expect(text.code).toBe(0);
    expect(text.stdout).toContain("runbooks/deploy.md");
    expect(text.stderr).toContain("KB_CACHE_DIR");
  });

  test("and no temporary one either: indexing makes the text part before it says so", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const options = { env: { KB_CACHE_DIR: UNWRITABLE, TMPDIR: UNWRITABLE } };
    const result = await runKb(["index", folder.path, "--json"], options);
    expect([0, 3]).toContain(result.code);
    expect(result.stdout + result.stderr).toContain("KB_CACHE_DIR");
    expect((await search(folder, options)).results[0].path).toBe("runbooks/deploy.md");
  });

  test.skipIf(!canMount)("or runs no programs is told from a broken one", async () => {
    using folder = await indexedSample();
    using disk = new SmallDisk("size=300m,noexec,mode=0700");
    const answer = await search(folder, {
      env: { KB_CACHE_DIR: join(disk.path, "cache"), TMPDIR: disk.path },
    });
    expect(problemOf(answer)).toContain("KB_CACHE_DIR");
    expect(answer.results[0].path).toBe("runbooks/deploy.md");
  });

  test.skipIf(!canMount)("or is full leaves no half files behind", async () => {
    using folder = await indexedSample();
    using disk = new SmallDisk("size=2m,mode=0700");
    const options = { env: { KB_CACHE_DIR: join(disk.path, "cache"), TMPDIR: disk.path } };
    const answer = await search(folder, options);
    expect(problemOf(answer)).toBeString();
    expect(answer.results[0].path).toBe("runbooks/deploy.md");
    disk.remount("size=300m");
    expect(problemOf(await search(folder, options))).toBeUndefined();
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
