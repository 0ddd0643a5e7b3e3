/**
 * The `rebuild_index` tool: one indexing run, waited for, with its report.
 *
 * The run is a child process, kept in order by `engine/upkeep/rebuilds.ts`.
 */
import { z } from "zod";
import { parseRequest, rebuildRequestSchema } from "../config/request.ts";
import type { IndexProgress, IndexRunReport } from "../engine/indexing/index-report.ts";
import { REBUILD_DESCRIPTION } from "./texts/rebuild-description.ts";
import type { Tool } from "./tool.ts";

const count = z.int().min(0);

const rebuildOutputSchema = z.strictObject({
  total_documents: count.describe("In the index now"),
  added: count,
  updated: count,
  renamed: count,
  deleted: count,
  unchanged: count,
  skipped: count.describe("Files that gave no document; kb status lists them with reasons"),
  total_chunks: count.describe("Passages in the index now"),
  pending_vectors: count.describe("Passages that are found by their words only, so far"),
  duration_ms: z.number().min(0),
});

export const rebuildTool: Tool = {
  name: "rebuild_index",
  title: "Bring the index up to date",
  description: REBUILD_DESCRIPTION,
  input: rebuildRequestSchema,
  output: rebuildOutputSchema,
  effects: { isDestructive: false, isIdempotent: true },
  async call(engine, input, { signal, reportProgress }) {
    const { force = false } = parseRequest(rebuildRequestSchema, input);
    const report = await engine.rebuilds.run({
      force,
      signal,
      onProgress: (progress) => reportProgress(shareDone(progress), progressText(progress)),
    });
    const structured = summaryOf(report);
    return { structured, text: textOf(structured) };
  },
};

type Summary = z.output<typeof rebuildOutputSchema>;

function summaryOf(report: IndexRunReport): Summary {
  return {
    total_documents: report.documents,
    added: report.added,
    updated: report.updated,
    renamed: report.renamed,
    deleted: report.removed,
    unchanged: report.unchanged,
    skipped: report.skipped.length,
    total_chunks: report.chunks,
    pending_vectors: report.vectors.pending,
    duration_ms: report.duration_ms,
  };
}

function textOf(summary: Summary): string {
  const facts = Object.entries(summary).map(([name, value]) => `${name}: ${value}`);
  return `The index is up to date.\n${facts.join("\n")}`;
}

/** Vectors take by far the longest. */
const STAGES: Readonly<Record<IndexProgress["stage"], { readonly from: number; readonly to: number }>> = {
  scan: { from: 0, to: 0.02 },
  text: { from: 0.02, to: 0.2 },
  vectors: { from: 0.2, to: 1 },
};

function shareDone({ stage, done, total }: IndexProgress): number {
  const { from, to } = STAGES[stage];
  return total === 0 ? from : from + (to - from) * Math.min(1, done / total);
}

function progressText({ stage, done, total }: IndexProgress): string {
  const what =
    stage === "vectors" ? "vectors of passages" : stage === "text" ? "files read" : "files looked at";
  return total === 0 ? what : `${what}: ${done} of ${total}`;
}
