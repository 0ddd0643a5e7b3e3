/**
 * What every session must do, as tests to run on each runtime.
 *
 * In go a name and a session's files. Whether both runtimes give the same vectors is
 * tested in `test/embed/runtime-choice.test.ts`.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSession } from "../../src/embed/open-session.ts";
import type { SessionFiles } from "../../src/embed/session.ts";
import { TestFolder } from "./test-folder.ts";

/** Registers the suite under `name`. */
export function describeSession(name: string, files: SessionFiles): void {
  const open = (changed: Partial<SessionFiles> = {}) =>
    openSession({ ...files, ...changed } as SessionFiles, { threads: 1 });

  describe(`${name} as a session`, () => {
    test("gives vectors the caller owns, goes on after a refused run, and ends with its closing", async () => {
      const session = await open();
      const first = session.run([0, 5, 6, 2]);
      const copy = first.slice();
      expect(() => session.run([0, 9_999_999, 2])).toThrow(
        expect.objectContaining({
          name: "AppError",
          code: "model",
          message: expect.stringMatching(/out of data bounds/),
        }),
      );
      session.run([0, 9, 10, 11, 2]);
      expect(first).toEqual(copy);
      expect(session.run([0, 5, 6, 2])).toEqual(copy);
      session.close();
      expect(() => session.run([0, 5, 6, 2])).toThrow(expect.objectContaining({ code: "model" }));
    });

    test.each([
      ["missing", undefined],
      ["cut short", readFileSync(files.modelPath).subarray(0, 100_000)],
      ["something else", "<html>sign in to the network</html>"],
    ])("refuses a model file that is %s", async (_, content) => {
      using folder = new TestFolder();
      const modelPath = content === undefined ? folder.at("none.ort") : folder.write("model.ort", content);
      await expect(open({ modelPath })).rejects.toMatchObject({
        name: "AppError",
        code: "model",
        message: expect.stringContaining(modelPath),
      });
    });

    test("writes nothing to stdout or stderr, not even on failure", async () => {
      const sessionModule = join(import.meta.dir, "..", "..", "src", "embed", "open-session.ts");
      const script = `
        const { openSession } = await import(${JSON.stringify(sessionModule)});
        const files = ${JSON.stringify(files)};
        const session = await openSession(files, { threads: 2 });
        session.run([0, 5, 2]);
        try { session.run([0, 9999999, 2]); } catch {}
        try { await openSession({ ...files, modelPath: "/nonexistent" }, { threads: 1 }); } catch {}
        session.close();`;
      const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
      expect(await new Response(child.stdout).text()).toBe("");
      expect(await new Response(child.stderr).text()).toBe("");
      expect(await child.exited).toBe(0);
    });
  });
}
