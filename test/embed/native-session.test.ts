/** Loading the native runtime by path: what it says when it cannot, and that it keeps stdout free. */
import { describe, expect, test } from "bun:test";
import { loadLibrary, openNativeSession } from "../../src/embed/native-session.ts";
import { chooseRuntime } from "../../src/embed/runtime-choice.ts";
import type { NativeFiles } from "../../src/embed/session.ts";
import { describeSession } from "../support/session-suite.ts";
import { TestFolder } from "../support/test-folder.ts";

const files = chooseRuntime("/nonexistent", "native").files as NativeFiles;

describeSession("openNativeSession", files);

describe("openNativeSession", () => {
  test("gives the same numbers with one thread and with two", () => {
    const ids = [0, ...Array.from({ length: 100 }, (_, index) => 100 + index), 2];
    const [one, two] = [1, 2].map((threads) => {
      const session = openNativeSession(files, { threads });
      const vector = session.run(ids);
      session.close();
      return vector;
    });
    expect(Math.max(...one!.map((value, index) => Math.abs(value - two![index]!)))).toBeLessThan(1e-5);
  });
});

describe("loadLibrary", () => {
  test("says which library could not be loaded, and what to set", () => {
    using folder = new TestFolder();
    const path = folder.write("onnxruntime_binding.node", "not a library");
    expect(() => loadLibrary(path)).toThrow(
      expect.objectContaining({
        code: "model",
        message: expect.stringContaining(path),
        hint: expect.stringContaining("KB_CACHE_DIR"),
      }),
    );
  });
});
