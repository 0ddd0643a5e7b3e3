import { describe, expect, test } from "bun:test";
import {
  findRun,
  recordRunFinish,
  recordRunOutcome,
  recordRunStart,
  recordVectorStart,
} from "../../src/store/run-record.ts";
import { openMemoryIndex } from "./sample-index.ts";

const OUTCOME = {
  isInterrupted: false,
  durationMs: 1234,
  added: 1,
  updated: 2,
  renamed: 3,
  removed: 4,
  embedded: 5,
};

describe("findRun", () => {
  test("finds nothing before the first run", () => {
    using db = openMemoryIndex();
    expect(findRun(db)).toBeUndefined();
  });

  test("follows a run from its start to its end", () => {
    using db = openMemoryIndex();
    recordRunStart(db, "2027-01-01T00:00:00.000Z");
    const started = {
      isFinished: false,
      finishedAt: undefined,
      startedAt: "2027-01-01T00:00:00.000Z",
      outcome: undefined,
      vectorStart: undefined,
    };
    expect(findRun(db)).toEqual(started);
    recordRunFinish(db, "2027-01-01T00:00:05.000Z");
    const vectorStart = { at: "2027-01-01T00:00:06.000Z", pending: 80 };
    recordVectorStart(db, vectorStart);
    const finished = { ...started, isFinished: true, finishedAt: "2027-01-01T00:00:05.000Z" };
    expect(findRun(db)).toEqual({ ...finished, vectorStart });
    recordRunOutcome(db, OUTCOME);
    expect(findRun(db)).toEqual({ ...finished, outcome: OUTCOME });
  });

  test("forgets the outcome of the run before, and keeps when one finished last", () => {
    using db = openMemoryIndex();
    recordRunStart(db, "2027-01-01T00:00:00.000Z");
    recordRunFinish(db, "2027-01-01T00:00:05.000Z");
    recordRunOutcome(db, OUTCOME);
    recordRunStart(db, "2027-01-02T00:00:00.000Z");
    expect(findRun(db)).toEqual({
      isFinished: false,
      finishedAt: "2027-01-01T00:00:05.000Z",
      startedAt: "2027-01-02T00:00:00.000Z",
      outcome: undefined,
      vectorStart: undefined,
    });
  });
});
