/**
 * Cold starts: a fresh process for every answer, with a warm page cache.
 *
 * Warm answers of a running server are `serve-figures.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FigureGroup } from "./figure.ts";
import { copyDocuments, folderWithVectors } from "./folders.ts";
import { processFigures, repeatRun, runKb } from "./kb-process.ts";
import { questionsFor } from "./questions.ts";
import type { Workbench } from "./workbench.ts";

/** One group for the program itself, one per folder. */
export async function* measureCold(bench: Workbench): AsyncGenerator<FigureGroup> {
  bench.say("cold: the version");
  const version = await repeatRun(bench.runs(20), () => runKb(bench, ["--version"]));
  yield {
    measurement: "cold",
    folder: null,
    facts: [],
    figures: processFigures("kb --version", version, "milliseconds"),
  };

  for (const folder of bench.folders) {
    const query = questionsFor(folder.name).japanese.at(-1)!;
    const search = (root: string) => ["search", query, "--kb", root, "--json"];
    const withVectors = await folderWithVectors(bench, folder);
    bench.say(`cold, ${folder.name}: searches`);
    const byMeaning = await repeatRun(bench.runs(10), () => runKb(bench, search(withVectors)));
    expectDense(byMeaning[0]!.stdout);

    const textOnly = copyDocuments(bench, folder);
    await runKb(bench, ["index", textOnly, "--no-vectors"]);
    const byWords = await repeatRun(bench.runs(10), () => runKb(bench, search(textOnly)));

    const firstEver = await repeatRun(bench.runs(5), async () => {
      const cache = mkdtempSync(join(bench.place, "empty-cache-"));
      const run = await runKb(bench, search(withVectors), { KB_CACHE_DIR: cache });
      rmSync(cache, { recursive: true });
      return run;
    });
    yield {
      measurement: "cold",
      folder: folder.name,
      facts: [`query: ${query}`],
      figures: [
        ...processFigures("kb search", byMeaning, "milliseconds"),
        ...processFigures("kb search, no vectors", byWords, "milliseconds"),
        ...processFigures("kb search, first start ever", firstEver, "milliseconds"),
      ],
    };
  }
}

function expectDense(stdout: string): void {
  const { degraded_reason: reason } = JSON.parse(stdout) as { readonly degraded_reason?: string };
  if (reason !== undefined) throw new Error(`the search had no vectors: ${reason}`);
}
