/**
 * Both ways to compare vectors give the same hits, and the one without an extension is taken
 * where the extension does not work.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(180_000);

const ENGINES = ["sqlite-vec", "js"] as const;
type Engine = (typeof ENGINES)[number];

/** A place that nobody can write to, root included. */
const UNWRITABLE = "/proc/kb";

/** What an unusual cache folder does to the engine is asked of copies of this one. */
const cache = new TestFolder();
/** The same documents, indexed by each engine. */
const folders: Readonly<Record<Engine, TestFolder>> = {
  "sqlite-vec": TestFolder.copyOf(SAMPLE_FOLDER),
  js: TestFolder.copyOf(SAMPLE_FOLDER),
};
beforeAll(async () => {
  for (const engine of ENGINES) {
    const env = { KB_VECTOR_ENGINE: engine, KB_CACHE_DIR: cache.at("kb") };
    const report = await runJson(["index", folders[engine].path], { env });
    expect(report.vectors).toMatchObject({ coverage: 1, pending: 0 });
    expect(report.vectors.problem).toBeUndefined();
  }
});
afterAll(() => {
  for (const folder of [cache, ...Object.values(folders)]) folder[Symbol.dispose]();
});

const QUESTIONS: readonly (readonly string[])[] = [
  ["shioctl rollback"],
  ["who locks my computer when it is gone", "--limit", "100"],
  ["復元の手順", "--path-glob", "runbooks/**"],
  ["how do we go back to the old version", "--path-glob", "**/*.md", "--path-glob", "!runbooks/**"],
  ["what is left without hits", "--path-glob", "nowhere/*"],
];

async function askAll(folder: TestFolder, env: Record<string, string>): Promise<WireValue[]> {
  const answers: WireValue[] = [];
  for (const question of QUESTIONS) {
    const answer = await runJson(["search", ...question, "--kb", folder.path], { env });
    expect(answer.degraded).toBeUndefined();
    answers.push(answer.results);
  }
  return answers;
}

const statusOf = (env: Record<string, string>) => runJson(["status", "--kb", folders.js.path], { env });

describe("the vector engine", () => {
  test("makes no difference to any hit, whichever wrote the index and whichever searches it", async () => {
    const found: WireValue[][] = [];
    for (const writing of ENGINES)
      for (const reading of ENGINES)
        found.push(await askAll(folders[writing], { KB_VECTOR_ENGINE: reading }));
    for (const answers of found.slice(1)) expect(answers).toEqual(found[0]!);
    expect(found[0]!.map((hits) => hits.length > 0)).toEqual([true, true, true, true, false]);
    expect(found[0]![1].some((hit: WireValue) => hit.scores.dense !== undefined)).toBe(true);
  });

  test("is told by kb status, with the reason for the one without the extension", async () => {
    const byExtension = await statusOf({ KB_VECTOR_ENGINE: "sqlite-vec" });
    expect(byExtension).toMatchObject({ vector_engine: "sqlite-vec", vector_engine_reason: null });
    expect(await statusOf({})).toMatchObject({ vector_engine: "sqlite-vec", vector_engine_reason: null });
    const byScan = await statusOf({ KB_VECTOR_ENGINE: "js" });
    expect(byScan).toMatchObject({ vector_engine: "js", vector_engine_reason: "KB_VECTOR_ENGINE is js" });
    const text = await runKb(["status", "--kb", folders.js.path], { env: { KB_VECTOR_ENGINE: "js" } });
    expect(text.stdout).toMatch(/^vector engine +js \(KB_VECTOR_ENGINE is js\)$/m);
  });

  test.each([[["status"]], [["search", "rollback"]], [["index"]]])(
    "is refused by kb %p if there is none of that name",
    async (command) => {
      const env = { KB_VECTOR_ENGINE: "faiss" };
      const { code, stderr } = await runKb([...command, "--kb", folders.js.path], { env });
      expect(code).toBe(2);
      expect(stderr).toContain('"faiss" (KB_VECTOR_ENGINE)');
      expect(stderr).toContain("sqlite-vec or js");
    },
  );
});

describe.each(["cannot be unpacked", "does not load"] as const)("a vector extension that %s", (failure) => {
  const copy = new TestFolder();
  const env = { KB_CACHE_DIR: copy.at("kb"), TMPDIR: UNWRITABLE };
  beforeAll(() => {
    cpSync(cache.at("kb"), copy.at("kb"), { recursive: true });
    const library = findLibrary(copy.path);
    if (failure === "does not load") pretendIntact(library);
    else replaceFolder(dirname(library));
  });
  afterAll(() => copy[Symbol.dispose]());

  test("changes no hit", async () => {
    expect(await askAll(folders.js, env)).toEqual(await askAll(folders.js, {}));
  });

  test("does not keep kb index from making vectors that are found", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const report = await runJson(["index", folder.path], { env });
    expect(report.vectors).toMatchObject({ coverage: 1, pending: 0 });
    expect(report.vectors.problem).toBeUndefined();
    expect(await askAll(folder, env)).toEqual(await askAll(folders.js, {}));
  });

  test("is the reason that kb status gives", async () => {
    expect(await statusOf(env)).toMatchObject({
      vector_engine: "js",
      vector_engine_reason: expect.stringMatching(failure === "does not load" ? failure : "cannot unpack"),
    });
  });

  test("is an error where sqlite-vec is asked for", async () => {
    const asked = { env: { ...env, KB_VECTOR_ENGINE: "sqlite-vec" } };
    for (const command of [["status"], ["search", "rollback"], ["index"]]) {
      const { code, stderr } = await runKb([...command, "--kb", folders.js.path], asked);
      expect(code).toBe(2);
      expect(stderr).toContain("sqlite-vec was asked for and cannot be used");
      expect(stderr).toContain("vec0");
      expect(stderr).toContain("KB_VECTOR_ENGINE");
    }
  });
});

function findLibrary(folder: string): string {
  const name = readdirSync(folder, { recursive: true }).find((path) => /vec0\.\w+$/.test(String(path)));
  return join(folder, String(name));
}

/** No library any more, but one that its stamp vouches for. */
function pretendIntact(library: string): void {
  const stampFile = `${library}.ok`;
  const sha256 = readFileSync(stampFile, "utf8").split(" ")[0];
  writeFileSync(library, new Uint8Array(statSync(library).size));
  const { size, mtimeMs, ctimeMs, ino } = statSync(library);
  writeFileSync(stampFile, `${sha256} ${size} ${mtimeMs} ${ctimeMs} ${ino}\n`);
}

/** A file stands where the folder belongs. */
function replaceFolder(folder: string): void {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
}
