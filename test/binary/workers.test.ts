/** That the executable finds the modules its threads run: one that is not found only makes it slower. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ENTRY_POINTS } from "../../scripts/build/compile.ts";

const SRC = join(import.meta.dir, "..", "..", "src");
const STARTED = /"\.\/([\w/-]+-worker\.ts)"\s*:\s*new URL/g;

test("every thread's module is an entry point of the build, and every other entry point is a thread's", () => {
  const started = [...new Bun.Glob("**/*.ts").scanSync({ cwd: SRC })].flatMap((path) =>
    [...readFileSync(join(SRC, path), "utf8").matchAll(STARTED)].map(([, module]) => module!),
  );
  expect(started.sort()).toEqual(ENTRY_POINTS.slice(1).toSorted());
});
