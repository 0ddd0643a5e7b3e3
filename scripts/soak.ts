/**
 * A folder in constant change with two servers, a looping `kb index` and ten looping searches:
 * `bun scripts/soak.ts [--minutes 30] [--files 300] [--seed n]`.
 *
 * Needs dist/kb. Problems are told as they come; at the end the index is compared with a fresh
 * one. Ends with 1 if anything was wrong. What counts as wrong is in `test/support/soak.ts`.
 */
import { parseArgs } from "node:util";
import { soak } from "../test/support/soak.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    files: { type: "string", default: "300" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [minutes, files, seed] = [Number(values.minutes), Number(values.files), Number(values.seed)];
if (!(minutes > 0 && files > 0 && Number.isInteger(files) && Number.isInteger(seed)))
  throw new Error("--minutes takes a number above 0, --files and --seed take whole numbers");

console.log(`${minutes} minutes, ${files} files, seed ${seed}`);
const startedAt = performance.now();
const tell = (line: string) =>
  console.log(`${((performance.now() - startedAt) / 60_000).toFixed(1)} min: ${line}`);
const { problems, counts, memory } = await soak({
  durationMs: minutes * 60_000,
  files,
  seed,
  servers: 2,
  searchers: 10,
  tell,
});
for (const [number, samples] of memory.entries())
  console.log(`server ${number}, resident MB: ${samples.join(" ")}`);
console.log(`${JSON.stringify(counts)}; ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
