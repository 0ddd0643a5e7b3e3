/**
 * The model in the compiled program where the native library loads, and then refuses the unpacked model: the
 * embedded one is run by WebAssembly instead.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { runJson } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(180_000);

test("an unpacked model that rots on its disk costs speed, not meaning", async () => {
  using folder = new TestFolder();
  using cache = new TestFolder();
  const options = { env: { KB_CACHE_DIR: cache.path } };
  folder.write("a.md", "# Keys\n\nThe spare key of the boat house hangs behind the barometer.\n");
  await runJson(["index", folder.path], options);
  damageModel(cache.path);

  const answer = await runJson(["search", "where is the door opener", "--kb", folder.path], options);
  expect(answer.engine.runtime).toContain("WebAssembly");
  expect(answer.engine.runtime_problem).toContain("cannot load the model");
  expect(answer.results[0].scores.dense).toBeDefined();

  folder.write("b.md", "# 鍵\n\n物置の鍵は玄関の引き出しに入れてある。\n");
  const report = await runJson(["index", folder.path], options);
  expect(report.vectors).toMatchObject({ coverage: 1, embedded: 1 });
  expect(report.vectors.runtime_problem).toContain("cannot load the model");
});

/** In place, with the stamp of an intact file: as where bits change on a disk without anybody's writing. */
function damageModel(cache: string): void {
  const paths = readdirSync(cache, { recursive: true, encoding: "utf8" }).map((name) => join(cache, name));
  const model = paths.find((path) => /\.ort$|\.onnx$/.test(path))!;
  const file = openSync(model, "r+");
  writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, 0);
  closeSync(file);
  const [sha256] = readFileSync(`${model}.ok`, "utf8").split(" ");
  const { size, mtimeMs, ctimeMs, ino } = statSync(model);
  writeFileSync(`${model}.ok`, `${sha256} ${size} ${mtimeMs} ${ctimeMs} ${ino}\n`);
}
