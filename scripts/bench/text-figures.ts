/**
 * The text stage: a folder indexed from nothing, again without a change, and with one.
 *
 * Vectors are left out; their cost is `vector-figures.ts`.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { FigureGroup } from "./figure.ts";
import { copyDocuments, countTextBytes, indexToTextRatio, listDocuments, removeIndex } from "./folders.ts";
import { processFigures, repeatRun, runKb } from "./kb-process.ts";
import type { Launched } from "./launcher.ts";
import type { Workbench } from "./workbench.ts";

/** One group per folder. */
export async function* measureText(bench: Workbench): AsyncGenerator<FigureGroup> {
  for (const folder of bench.folders) {
    const copy = copyDocuments(bench, folder);
    const index = () => runKb(bench, ["index", copy, "--no-vectors", "--json"]);

    bench.say(`text, ${folder.name}: from nothing`);
    const fromNothing = await repeatRun(bench.runs(5), index, () => removeIndex(copy));
    const ratio = indexToTextRatio(copy);
    const textBytes = countTextBytes(copy);

    bench.say(`text, ${folder.name}: no change, then one`);
    const unchanged = await repeatRun(bench.runs(10), index);
    expectUpdates(unchanged, 0);
    const changing = join(copy, middleDocument(copy));
    let change = 0;
    const changed = await repeatRun(bench.runs(10), index, () => {
      change += 1;
      appendFileSync(changing, `\nChange number ${change}.\n`);
    });
    expectUpdates(changed, 1);

    const { documents, chunks } = reportOf(fromNothing[0]!);
    yield {
      measurement: "text",
      folder: folder.name,
      facts: [`${documents} documents of ${(textBytes / 1e6).toFixed(1)} MB, ${chunks} chunks`],
      figures: [
        ...processFigures("from nothing", fromNothing, "seconds"),
        { name: "index size / text size", unit: "times", values: [ratio] },
        ...processFigures("no change", unchanged, "milliseconds"),
        ...processFigures("one file changed", changed, "milliseconds"),
      ],
    };
  }
}

interface TextReport {
  readonly documents: number;
  readonly chunks: number;
  readonly added: number;
  readonly updated: number;
}

function reportOf({ stdout }: Launched): TextReport {
  return JSON.parse(stdout) as TextReport;
}

/** A run that did something else than was meant would give a figure that means nothing. */
function expectUpdates(runs: readonly Launched[], expected: number): void {
  for (const run of runs) {
    const { added, updated } = reportOf(run);
    if (added + updated !== expected)
      throw new Error(`${added + updated} documents were indexed instead of ${expected}`);
  }
}

function middleDocument(folder: string): string {
  const files = listDocuments(folder);
  return files[files.length >> 1]!.rawPath;
}
