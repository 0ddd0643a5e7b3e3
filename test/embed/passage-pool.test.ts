/** Many passages over several real workers: order, overtaking, failures, ending. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openPassagePool } from "../../src/embed/passage-pool.ts";
import { chooseRuntime } from "../../src/embed/runtime-choice.ts";

setDefaultTimeout(60_000);

const { files } = chooseRuntime("/nonexistent", "native");
const LONG = "a passage that takes a while to embed ".repeat(40);

describe("openPassagePool", () => {
  test("gives the vectors in the order of the texts, however long each takes", async () => {
    const pool = openPassagePool(files, 2);
    const texts = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0 ? LONG + index : `short ${index}`,
    );
    const together = await pool.embedPassages(texts);
    for (const [index, text] of texts.entries()) {
      const [alone] = await pool.embedPassages([text]);
      expect(together[index]).toEqual(alone!);
    }
    await pool.close();
  });

  test("reports what a worker could not do, and goes on answering", async () => {
    const pool = openPassagePool({ ...files, modelPath: "/nonexistent/model.ort" }, 2);
    for (const texts of [["a"], ["a", "b", "c", "d"]]) {
      await expect(pool.embedPassages(texts)).rejects.toMatchObject({
        name: "AppError",
        code: "model",
        message: expect.stringContaining("/nonexistent/model.ort"),
      });
    }
    await pool.close();
  });

  test("gives up waiting texts when it is closed, and refuses new ones", async () => {
    const pool = openPassagePool(files, 1);
    const passages = pool.embedPassages(Array.from({ length: 20 }, () => LONG));
    const outcome = passages.then(
      () => "done",
      (error) => error.message,
    );
    await pool.close();
    expect(await outcome).toBe("the embedding workers were closed");
    await expect(pool.embedPassages(["late"])).rejects.toMatchObject({ code: "model" });
    await pool.close();
  });

  test.each([0, -1, Number.NaN])("refuses a size of %p", (size) => {
    expect(() => openPassagePool(files, size)).toThrow(RangeError);
  });

  const wasmFiles = chooseRuntime("/nonexistent", "wasm").files;

  test.each([
    ["closed", files, "await pool.close();"],
    ["left open", files, ""],
    ["left by process.exit", files, "process.exit(0);"],
    [
      "left in the middle of its work",
      files,
      `pool.embedPassages(Array(50).fill("text ")); process.exit(0);`,
    ],
    ["closed, with WebAssembly,", wasmFiles, "await pool.close();"],
    [
      "left in the middle of its work, with WebAssembly,",
      wasmFiles,
      `pool.embedPassages(Array(50).fill("text ")); process.exit(0);`,
    ],
  ])("lets the process end well when %s", async (_, usedFiles, ending) => {
    const poolModule = join(import.meta.dir, "..", "..", "src", "embed", "passage-pool.ts");
    const script = `
      const { openPassagePool } = await import(${JSON.stringify(poolModule)});
      const pool = openPassagePool(${JSON.stringify(usedFiles)}, 2);
      const vectors = await pool.embedPassages(["a", "b", "c"]);
      console.log(vectors.length);
      ${ending}`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
    expect(await new Response(child.stdout).text()).toBe("3\n");
    expect(await new Response(child.stderr).text()).toBe("");
    expect(await child.exited).toBe(0);
  });
});
