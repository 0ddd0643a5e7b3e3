/** Unpacking on a real disk: first starts that race, damaged copies, folders that cannot be used. */
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../src/errors.ts";
import type { Asset } from "../../src/native/asset-file.ts";
import { extractAssets, locateAssets } from "../../src/native/extract.ts";
import { TestFolder } from "../support/test-folder.ts";

const EXTRACT_ONCE = join(import.meta.dir, "..", "support", "extract-once.ts");
/** Permissions bind everybody but the superuser, who therefore unpacks as `nobody`. */
const PLAIN_USER = process.getuid?.() === 0 ? ["65534"] : [];

function makeAsset(folder: TestFolder, name = "lib.so", content = "library ".repeat(100_000)): Asset {
  const embeddedPath = folder.write(name, content);
  const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  return { name, embeddedPath, sha256, size: content.length };
}

async function extractInProcess(args: readonly string[]): Promise<string[]> {
  const child = Bun.spawn([process.execPath, EXTRACT_ONCE, ...args], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  expect(await child.exited).toBe(0);
  return lines;
}

describe("extractAssets", () => {
  test("puts assets side by side, under their names, for their owner alone", () => {
    using folder = new TestFolder();
    const assets = [makeAsset(folder, "a.so", "a"), makeAsset(folder, "b.node", "b")];
    const paths = extractAssets(assets, folder.at("new", "cache"));
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["a", "b"]);
    expect(new Set(paths.map(dirname)).size).toBe(1);
    expect(statSync(dirname(paths[0]!)).mode & 0o777).toBe(0o700);
  });

  test("keeps different contents in different folders", () => {
    using folder = new TestFolder();
    const [first] = extractAssets([makeAsset(folder, "a.so", "one")], folder.at("cache"));
    const [second] = extractAssets([makeAsset(folder, "a.so", "two")], folder.at("cache"));
    expect(readFileSync(first!, "utf8")).toBe("one");
    expect(readFileSync(second!, "utf8")).toBe("two");
  });

  test("does not write again what is there", () => {
    using folder = new TestFolder();
    const asset = makeAsset(folder);
    const [path] = extractAssets([asset], folder.at("cache"));
    const before = statSync(path!);
    extractAssets([asset], folder.at("cache"));
    expect(statSync(path!)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  test.each<[string, (path: string) => void]>([
    ["cut short", (path) => writeFileSync(path, readFileSync(path).subarray(0, 1_000))],
    ["emptied", (path) => writeFileSync(path, "")],
    ["changed without changing its size", (path) => writeFileSync(path, readFileSync(path).fill(0x78))],
    [
      "changed and dated back",
      (path) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, readFileSync(path).fill(0x78));
        utimesSync(path, atime, mtime);
      },
    ],
  ])("replaces a copy that was %s", (_, damage) => {
    using folder = new TestFolder();
    const asset = makeAsset(folder);
    const [path] = extractAssets([asset], folder.at("cache"));
    damage(path!);
    expect(extractAssets([asset], folder.at("cache"))).toEqual([path!]);
    expect(readFileSync(path!, "utf8")).toBe(folder.read("lib.so"));
  });

  test("trusts an unchanged copy again after its stamp was lost", () => {
    using folder = new TestFolder();
    const asset = makeAsset(folder);
    const [path] = extractAssets([asset], folder.at("cache"));
    const { ino } = statSync(path!);
    writeFileSync(`${path}.ok`, "nonsense");
    extractAssets([asset], folder.at("cache"));
    expect(statSync(path!).ino).toBe(ino);
    expect(readFileSync(`${path}.ok`, "utf8")).toStartWith(asset.sha256);
  });

  test("lets six processes of two threads unpack into one empty folder at once", async () => {
    using folder = new TestFolder();
    const asset = makeAsset(folder, "lib.so", "library ".repeat(1_000_000));
    const args = [asset.embeddedPath, folder.at("cache"), folder.at("tmp"), "2"];
    const runs = await Promise.all(Array.from({ length: 6 }, () => extractInProcess(args)));
    const paths = new Set(runs.flat());
    expect(runs.flat().length).toBe(12);
    expect(paths.size).toBe(1);
    const [path] = [...paths];
    expect(readFileSync(path!, "utf8")).toBe(folder.read("lib.so"));
    expect(readdirSync(dirname(path!)).sort()).toEqual(["lib.so", "lib.so.ok"]);
  });

  test("removes what a run that died left behind an hour ago, and nothing younger", () => {
    using folder = new TestFolder();
    const asset = makeAsset(folder);
    const cache = dirname(extractAssets([asset], folder.at("cache"))[0]!);
    for (const name of ["old.1.tmp", "young.2.tmp"]) writeFileSync(join(cache, name), "half");
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(join(cache, "old.1.tmp"), longAgo, longAgo);
    writeFileSync(join(cache, "lib.so"), "damaged");
    extractAssets([asset], folder.at("cache"));
    expect(readdirSync(cache).sort()).toEqual(["lib.so", "lib.so.ok", "young.2.tmp"]);
  });

  test("falls back to a private temporary folder when a file stands where the cache should be", () => {
    using folder = new TestFolder();
    const asset = makeAsset(folder);
    folder.write("cache", "a file");
    folder.mkdir("tmp");
    const [path] = extractAssets([asset], folder.at("cache"), folder.at("tmp"));
    expect(path).toStartWith(folder.at("tmp"));
    expect(readFileSync(path!, "utf8")).toBe(folder.read("lib.so"));
  });

  test("does not load code from a folder that others can change", () => {
    using folder = new TestFolder();
    const asset = makeAsset(folder);
    const [path] = extractAssets([asset], folder.at("cache"));
    chmodSync(dirname(path!), 0o777);
    folder.mkdir("tmp");
    const [elsewhere] = extractAssets([asset], folder.at("cache"), folder.at("tmp"));
    expect(elsewhere).toStartWith(folder.at("tmp"));
  });

  test("says what to set when an unprivileged user can write nowhere", async () => {
    using folder = new TestFolder();
    const asset = makeAsset(folder);
    for (const name of ["cache", "tmp"]) mkdirSync(folder.at(name), { mode: 0o555 });
    const args = [asset.embeddedPath, folder.at("cache"), folder.at("tmp"), "1", ...PLAIN_USER];
    const [line] = await extractInProcess(args);
    const failure = JSON.parse(line!);
    expect(failure.code).toBe("io");
    expect(failure.message).toContain("cannot unpack lib.so");
    expect(failure.message).toContain(folder.at("cache"));
    expect(failure.hint).toContain("KB_CACHE_DIR");
  });

  test("uses good files in a folder it may not write to", async () => {
    using folder = new TestFolder();
    const asset = makeAsset(folder);
    const args = [asset.embeddedPath, folder.at("cache"), folder.at("tmp"), "1", ...PLAIN_USER];
    const [path] = await extractInProcess(args);
    writeFileSync(`${path}.ok`, "from another disk");
    chmodSync(dirname(path!), 0o500);
    expect(await extractInProcess(args)).toEqual([path!]);
    chmodSync(dirname(path!), 0o700);
  });

  test("refuses to unpack bytes that are not the expected ones", () => {
    using folder = new TestFolder();
    const asset = { ...makeAsset(folder), sha256: "0".repeat(64) };
    expect(() => extractAssets([asset], folder.at("cache"))).toThrow(AppError);
    expect(() => extractAssets([asset], folder.at("cache"))).toThrow("inside this program is damaged");
  });
});

describe("locateAssets", () => {
  test("answers with the originals when run from source", () => {
    using folder = new TestFolder();
    const asset = makeAsset(folder);
    expect(locateAssets([asset], folder.at("cache"))).toEqual([asset.embeddedPath]);
    expect(folder.has("cache")).toBe(false);
  });
});
