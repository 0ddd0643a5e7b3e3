/**
 * The runtime of the model in the compiled program: WebAssembly where it is asked for, or where
 * the native library does not load, with the same answers.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RawClient } from "../support/mcp-client.ts";
import { runJson, runKb } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(180_000);

const QUERY = "間違って消したデータを元に戻したい";
const WASM = { env: { KB_RUNTIME: "wasm" } };

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path]);
});
afterAll(() => folder[Symbol.dispose]());

const search = ["search", QUERY, "--kb", folder.path];

describe("KB_RUNTIME=wasm", () => {
  test("searches an index that was made natively, with the same answer", async () => {
    const native = await runJson(search);
    const wasm = await runJson(search, WASM);
    expect(native.engine.runtime).toContain("onnxruntime-node");
    expect(wasm.engine.runtime).toContain("WebAssembly");
    expect(wasm.engine).not.toHaveProperty("runtime_problem");
    expect(wasm.degraded).toBeUndefined();
    for (const [offset, hit] of native.results.entries()) {
      expect(wasm.results[offset].path).toBe(hit.path);
      expect(wasm.results[offset].scores.dense.raw).toBeCloseTo(hit.scores.dense.raw, 2);
    }
  });

  test("makes vectors, and unpacks neither library nor model for them", async () => {
    using fresh = new TestFolder();
    using cache = new TestFolder();
    fresh.write("a.md", "# Keys\n\nThe spare key of the boat house hangs behind the barometer.\n");
    fresh.write("b.md", "# 鍵\n\n物置の鍵は玄関の引き出しに入れてある。\n");
    const options = { env: { ...WASM.env, KB_CACHE_DIR: cache.path } };
    const report = await runJson(["index", fresh.path], options);
    expect(report.vectors).toMatchObject({ coverage: 1, embedded: 2 });
    expect(report.vectors).not.toHaveProperty("problem");
    const answer = await runJson(["search", "where is the door opener", "--kb", fresh.path], options);
    expect(answer.results[0].scores.dense).toBeDefined();
    expect(filesBelow(cache.path).filter((file) => /onnx|model/.test(file))).toEqual([]);
  });

  test("serves an MCP client", async () => {
    await using client = new RawClient(["--kb", folder.path, "--no-index"], WASM);
    await client.initialize();
    for (let asked = 0; asked < 2; asked++) {
      const { structuredContent: answer } = await client.request("tools/call", {
        name: "search",
        arguments: { query: QUERY },
      });
      expect(answer.engine.runtime).toContain("WebAssembly");
      expect(answer.results[0].scores.dense).toBeDefined();
    }
  });

  test("is told by kb status", async () => {
    const { runtime } = await runJson(["status", "--kb", folder.path], WASM);
    expect(runtime).toEqual({ name: expect.stringContaining("WebAssembly"), reason: "KB_RUNTIME is wasm" });
    const { stdout } = await runKb(["status", "--kb", folder.path], WASM);
    expect(stdout).toMatch(/^runtime +onnxruntime-web .*KB_RUNTIME is wasm/m);
  });
});

describe("KB_RUNTIME unset", () => {
  test("means the native library, and kb status gives no reason for that", async () => {
    const { runtime } = await runJson(["status", "--kb", folder.path]);
    expect(runtime).toEqual({ name: expect.stringContaining("onnxruntime-node") });
  });
});

describe("KB_RUNTIME with another value", () => {
  test.each(["search", "index", "status"])("is refused by kb %s", async (command) => {
    const args = command === "search" ? search : [command, "--kb", folder.path];
    const { error } = await runJson(args, { env: { KB_RUNTIME: "cuda" } }, 2);
    expect(error).toMatchObject({ code: "config", message: expect.stringContaining('"cuda"') });
    expect(error.hint).toMatch(/native.*wasm/);
  });
});

describe("a native library that cannot be unpacked", () => {
  const cache = new TestFolder();
  const blocked = { env: { KB_CACHE_DIR: cache.path, TMPDIR: "/proc/kb" } };

  beforeAll(async () => {
    await runJson(search, { env: { KB_CACHE_DIR: cache.path } });
    const library = filesBelow(cache.path).find((file) => file.endsWith(".node"))!;
    rmSync(dirname(library), { recursive: true });
    writeFileSync(dirname(library), "a file where the folder should be");
  });
  afterAll(() => cache[Symbol.dispose]());

  test("is replaced by WebAssembly, and the answer says why and what to do", async () => {
    const answer = await runJson(search, blocked);
    expect(answer.degraded).toBeUndefined();
    expect(answer.results[0].scores.dense).toBeDefined();
    expect(answer.engine.runtime).toContain("WebAssembly");
    expect(answer.engine.runtime_problem).toMatch(/slower.*onnxruntime.*KB_CACHE_DIR/s);
    const { code, stderr } = await runKb(search, blocked);
    expect(code).toBe(0);
    expect(stderr.match(/WebAssembly/g)).toHaveLength(1);
  });

  test("is told by kb index, once it made vectors, and by kb status", async () => {
    using fresh = new TestFolder();
    fresh.write("a.md", "# Keys\n\nThe spare key of the boat house hangs behind the barometer.\n");
    const { vectors } = await runJson(["index", fresh.path], blocked);
    expect(vectors).toMatchObject({ coverage: 1, runtime_problem: expect.stringContaining("KB_CACHE_DIR") });
    const { runtime } = await runJson(["status", "--kb", fresh.path], blocked);
    expect(runtime.name).toContain("WebAssembly");
    expect(runtime.reason).toContain("onnxruntime");
  });

  test("is an error where it alone is asked for", async () => {
    const options = { env: { ...blocked.env, KB_RUNTIME: "native" } };
    for (const args of [search, ["status", "--kb", folder.path]]) {
      const { error } = await runJson(args, options, 2);
      expect(error).toMatchObject({
        code: "config",
        message: expect.stringMatching(/KB_RUNTIME.*onnxruntime/s),
      });
      expect(error.hint).toContain("KB_CACHE_DIR");
    }
  });
});

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
