/**
 * Prints what the search finds of the judged set, leg by leg and setting by setting.
 *
 * `bun scripts/quality.ts [--slices] [--misses] [--js] [--coverage=0.3] [--confidence] [name…]`: the variants named
 * (all of them if none is), Japanese and English apart, MRR@10 and success at 1 and 5; with `--js`
 * vectors are compared without sqlite-vec, with `--coverage` only that share of the passages has one;
 * with `--confidence` it prints instead how well answerable questions are told from others.
 * Floors for the defaults are tests (`test/quality/quality.test.ts`).
 */
import { openJudgedIndex } from "../test/quality/judged-index.ts";
import { measureQueries, type QueryResult, type Summary, summarise } from "../test/quality/measure.ts";
import { VARIANTS } from "../test/quality/variants.ts";
import { printConfidence } from "./quality/confidence-report.ts";

const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = names.find((name) => !Object.hasOwn(VARIANTS, name));
if (unknown !== undefined) {
  console.error(`no variant ${unknown}; there are: ${Object.keys(VARIANTS).join(", ")}`);
  process.exit(2);
}

const coverage = flags.find((flag) => flag.startsWith("--coverage="))?.slice("--coverage=".length);
await using index = await openJudgedIndex({
  engine: flags.includes("--js") ? "js" : "sqlite-vec",
  coverage: Number(coverage ?? 1),
});
if (flags.includes("--confidence")) {
  await printConfidence(index);
  await index[Symbol.asyncDispose]();
  process.exit(0);
}
console.log(`${"variant".padEnd(34)}${["all", "ja", "en"].map((name) => name.padEnd(26)).join("")}`);
console.log(`${"".padEnd(34)}${"MRR    R@1    R@5         ".repeat(3)}`);
for (const [name, settings] of Object.entries(VARIANTS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const results = await measureQueries(index.queries, (query) => index.search(query, settings));
  const all = summarise(results, () => "all");
  const languages = summarise(results, ({ language }) => language);
  const cells = [all.get("all"), languages.get("ja"), languages.get("en")].map(cell);
  console.log(`${name.padEnd(34)}${cells.join("")}`);
  if (flags.includes("--slices")) printSlices(results);
  if (flags.includes("--misses")) printMisses(results);
}

function printSlices(results: readonly QueryResult[]): void {
  const slices = summarise(results, ({ language, slice }) => `${language} ${slice}`);
  for (const [name, summary] of slices)
    console.log(`    ${name.padEnd(30)}${cell(summary)}${String(summary.queries).padStart(3)} queries`);
}

function printMisses(results: readonly QueryResult[]): void {
  for (const { query, ranking } of results)
    if (!ranking.slice(0, 5).some((grade) => grade > 0))
      console.log(`    missed in five: ${query.id} (${query.slice}) ${query.query}`);
}

function cell(summary: Summary | undefined): string {
  if (summary === undefined) return "".padEnd(26);
  const { reciprocalRank, successAt1, successAt5 } = summary;
  return [reciprocalRank, successAt1, successAt5]
    .map((value) => value.toFixed(3).padEnd(7))
    .join("")
    .padEnd(26);
}
