/**
 * Where the time of a command went, as a table of milliseconds.
 *
 * Measuring is `engine/search/stage-times.ts`; whoever asked for it prints it.
 */
import type { StageTime, StageTimes } from "../engine/search/stage-times.ts";

/** One line a stage in their order, then their sum, then what ran beside them. */
export function formatTimes({ stages, beside }: Pick<StageTimes, "stages" | "beside">): string {
  const total = stages.reduce((sum, { ms }) => sum + ms, 0);
  return [
    "kb: time in milliseconds",
    ...stages.map((stage) => formatLine(stage)),
    formatLine({ stage: "in all", ms: total }),
    ...beside.map(({ stage, ms }) => formatLine({ stage: `beside these: ${stage}`, ms })),
  ].join("\n");
}

function formatLine({ stage, ms }: StageTime): string {
  return `${ms.toFixed(1).padStart(10)}  ${stage}`;
}
