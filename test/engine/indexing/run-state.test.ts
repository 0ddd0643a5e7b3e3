import { describe, expect, test } from "bun:test";
import { describeRun, measurePace } from "../../../src/engine/indexing/run-state.ts";
import type { RunRecord } from "../../../src/store/run-record.ts";

const WRITER = { pid: 7, hostname: "here", since: "2027-01-01T00:00:00.000Z" };
const START = "2027-01-01T00:00:00.000Z";

const RUN: RunRecord = {
  isFinished: true,
  finishedAt: "2027-01-01T00:00:05.000Z",
  startedAt: START,
  outcome: undefined,
  vectorStart: undefined,
};
const OUTCOME = {
  isInterrupted: false,
  durationMs: 9,
  added: 1,
  updated: 2,
  renamed: 3,
  removed: 4,
  embedded: 5,
};

describe("describeRun", () => {
  test("knows of none before the first", () => {
    expect(describeRun(undefined, undefined)).toBeNull();
  });

  const rows: [result: string, run: RunRecord, isBeingWritten: boolean][] = [
    ["done", { ...RUN, outcome: OUTCOME }, false],
    ["interrupted", { ...RUN, outcome: { ...OUTCOME, isInterrupted: true } }, false],
    ["running", RUN, true],
    ["running", { ...RUN, isFinished: false }, true],
    ["unfinished", { ...RUN, isFinished: false }, false],
    // The text was finished, and the run was killed while it made vectors.
    ["unfinished", RUN, false],
    // Of an earlier build, which left no start and no outcome.
    ["done", { ...RUN, startedAt: undefined }, false],
    ["unfinished", { ...RUN, startedAt: undefined, isFinished: false }, false],
  ];
  test.each(rows)("says %s", (result, run, isBeingWritten) => {
    expect(describeRun(run, isBeingWritten ? WRITER : undefined)?.result).toBe(result as "done");
  });

  test("tells what a run did, once it came to its end", () => {
    expect(describeRun({ ...RUN, outcome: OUTCOME }, undefined)).toEqual({
      started_at: START,
      result: "done",
      duration_ms: 9,
      changes: { added: 1, updated: 2, renamed: 3, removed: 4, embedded: 5 },
    });
  });
});

describe("measurePace", () => {
  const run = { ...RUN, vectorStart: { at: START, pending: 100 } };
  const later = (seconds: number) => Date.parse(START) + seconds * 1000;

  test("divides what was made by the time since it began", () => {
    expect(measurePace(run, WRITER, 60, later(8))).toEqual({ per_second: 5, remaining_seconds: 12 });
  });

  test.each([
    ["nobody writes", run, undefined, 60, 8],
    ["no vector is being made", RUN, WRITER, 60, 8],
    ["nothing was made yet", run, WRITER, 100, 8],
    ["the clock was set back", run, WRITER, 60, -8],
    ["there is no run", undefined, WRITER, 60, 8],
  ] as const)("tells nothing while %s", (_why, record, writer, pending, seconds) => {
    expect(measurePace(record, writer, pending, later(seconds))).toBeNull();
  });
});
