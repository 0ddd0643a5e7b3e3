/**
 * Sends mutated messages to the compiled `kb serve`: `bun scripts/fuzz-mcp.ts [messages] [seed]`.
 *
 * Tells what was wrong: a crash, a request without an answer, a place of this machine or a stack in an
 * answer; and the server's memory. Needs dist/kb. Ends with 1 if anything was wrong. The messages
 * are made in `test/support/mcp-fuzz.ts`.
 */
import { fuzzServer } from "../test/support/mcp-fuzz.ts";
import { runJson } from "../test/support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../test/support/test-folder.ts";

const count = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
using folder = TestFolder.copyOf(SAMPLE_FOLDER);
await runJson(["index", folder.path]);
const report = await fuzzServer(folder.path, count, seed);
console.log(JSON.stringify({ seed, ...report, problems: report.problems.slice(0, 20) }, null, 2));
process.exit(report.problems.length > 0 ? 1 : 0);
