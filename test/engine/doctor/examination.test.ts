import { describe, expect, test } from "bun:test";
import { Examination } from "../../../src/engine/doctor/examination.ts";
import { AppError } from "../../../src/errors.ts";

describe("Examination", () => {
  test("puts errors before warnings before information, else keeps the order", () => {
    const examination = new Examination();
    examination.find({ id: "d", severity: "info", sentence: "s", remedy: "r" });
    examination.warn("a", "first", "x");
    examination.findFailure("b", new AppError("io", "second", { hint: "y" }));
    examination.warn("c", "third", "z");
    expect(examination.findings.map(({ id }) => id)).toEqual(["b", "a", "c", "d"]);
  });

  test("shows five samples of many, and nothing of none", () => {
    const examination = new Examination();
    const finding = { id: "a", severity: "warning", sentence: "s", remedy: "r" } as const;
    examination.findAll(finding, []);
    examination.findAll(finding, ["1", "2", "3", "4", "5", "6"]);
    expect(examination.findings).toEqual([{ ...finding, count: 6, samples: ["1", "2", "3", "4", "5"] }]);
  });

  test("turns a check that fails into a finding with the failure's own remedy", async () => {
    const examination = new Examination();
    const answer = await examination.attempt("a", () => {
      throw new AppError("io", "the disk is gone", { hint: "Mount it." });
    });
    expect(answer).toBeUndefined();
    expect(examination.findings).toEqual([
      { id: "a", severity: "error", sentence: "the disk is gone", remedy: "Mount it." },
    ]);
  });

  test("asks for a report of anything unforeseen, without a stack", async () => {
    const examination = new Examination();
    await examination.attempt("a", () => {
      throw new TypeError("x is not a function");
    });
    expect(examination.findings[0]!.sentence).toBe("this check failed itself: x is not a function");
    expect(examination.findings[0]!.remedy).toContain("report");
  });
});
