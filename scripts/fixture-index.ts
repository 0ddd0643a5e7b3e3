/**
 * Makes the index that `test/binary/fixture-index.test.ts` opens: `bun scripts/fixture-index.ts`.
 *
 * To be run once for each schema version, with the executable that introduces it, and committed.
 * An index made long ago shows what one made today cannot: that a later build still reads it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../src/store/schema.ts";
import { FIXTURE_DOCUMENTS, fixtureIndexFile } from "../test/support/fixture-index.ts";
import { runJson } from "../test/support/run-binary.ts";
import { TestFolder } from "../test/support/test-folder.ts";

const target = fixtureIndexFile(SCHEMA_VERSION);
if (existsSync(target)) {
  console.error(
    `${target} is there already, and is worth its age; remove it first if it has to be made anew`,
  );
  process.exit(1);
}
using folder = new TestFolder();
for (const [path, text] of FIXTURE_DOCUMENTS) folder.write(path, text);
await runJson(["index", folder.path]);
const name = folder.read(".kb/current").trim();
writeFileSync(target, Bun.gzipSync(readFileSync(join(folder.path, ".kb", name)), { level: 9 }));
console.log(`made ${target}`);
