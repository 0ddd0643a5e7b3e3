/** Loading the runtime by path: what it says when it cannot, and that it keeps stdout free. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { locateSessionFiles } from "../../src/embed/builtin-model.ts";
import { openSession } from "../../src/embed/session.ts";
import { TestFolder } from "../support/test-folder.ts";

const files = locateSessionFiles("/nonexistent");

describe("openSession", () => {
  test("gives vectors the caller owns: a later run does not change them", () => {
    const session = openSession(files, 1);
    const first = session.run([0, 5, 6, 2]);
    const copy = first.slice();
    session.run([0, 9, 10, 11, 2]);
    expect(first).toEqual(copy);
    session.close();
  });

  test("gives the same numbers with one thread and with two", () => {
    const ids = [0, ...Array.from({ length: 100 }, (_, index) => 100 + index), 2];
    const [one, two] = [1, 2].map((threads) => {
      const session = openSession(files, threads);
      const vector = session.run(ids);
      session.close();
      return vector;
    });
    expect(Math.max(...one!.map((value, index) => Math.abs(value - two![index]!)))).toBeLessThan(1e-5);
  });

  test("says which library could not be loaded, and what to set", () => {
    using folder = new TestFolder();
    const bindingPath = folder.write("onnxruntime_binding.node", "not a library");
    expect(() => openSession({ ...files, bindingPath }, 1)).toThrow(
      expect.objectContaining({
        code: "model",
        message: expect.stringContaining(bindingPath),
        hint: expect.stringContaining("KB_CACHE_DIR"),
      }),
    );
  });

  test.each([
    ["missing", undefined],
    ["cut short", readFileSync(files.modelPath).subarray(0, 100_000)],
    ["something else", "<html>sign in to the network</html>"],
  ])("refuses a model file that is %s", (_, content) => {
    using folder = new TestFolder();
    const modelPath = content === undefined ? folder.at("none.ort") : folder.write("model.ort", content);
    expect(() => openSession({ ...files, modelPath }, 1)).toThrow(
      expect.objectContaining({ code: "model", message: expect.stringContaining(modelPath) }),
    );
  });

  test("says that a run was refused instead of ending the process", () => {
    const session = openSession(files, 1);
    expect(() => session.run([0, 9_999_999, 2])).toThrow(expect.objectContaining({ code: "model" }));
    session.close();
  });

  test("writes nothing to stdout or stderr, not even on failure", async () => {
    const sessionModule = join(import.meta.dir, "..", "..", "src", "embed", "session.ts");
    const script = `
      const { openSession } = await import(${JSON.stringify(sessionModule)});
      const files = ${JSON.stringify(files)};
      const session = openSession(files, 2);
      session.run([0, 5, 2]);
      try { session.run([0, 9999999, 2]); } catch {}
      try { openSession({ ...files, modelPath: "/nonexistent" }, 1); } catch {}
      session.close();`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
    expect(await new Response(child.stdout).text()).toBe("");
    expect(await new Response(child.stderr).text()).toBe("");
    expect(await child.exited).toBe(0);
  });
});
