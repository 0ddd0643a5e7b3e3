import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { dayOfDate, daysOfBound } from "../../src/core/calendar-date.ts";

describe("dayOfDate", () => {
  test.each([
    ["2026-01-05", "2026-01-05"],
    ["2026-1-5", "2026-01-05"],
    ["2026/01/05", "2026-01-05"],
    ["2026.1.5", "2026-01-05"],
    ["20260105", "2026-01-05"],
    ["2026年1月5日", "2026-01-05"],
    ["２０２６年１月５日", "2026-01-05"],
    ["2026年1月", "2026-01-01"],
    ["2026-01", "2026-01-01"],
    ["2026", "2026-01-01"],
    [" 2026-01-05 ", "2026-01-05"],
    ["2026-01-05T23:59:59Z", "2026-01-05"],
    ["2026-01-05 23:59:59.123 +09:00", "2026-01-05"],
    ["2026-01-05T00:30:00+0900", "2026-01-05"],
    ["2026年1月5日(月) 10:00", "2026-01-05"],
    ["2024-02-29", "2024-02-29"],
    ["2000-02-29", "2000-02-29"],
  ])("reads %p as %p", (written, day) => {
    expect(dayOfDate(written)).toBe(day);
  });

  test.each([
    "",
    "2026-02-29",
    "1900-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-1/5",
    "0000-01-01",
    "26-01-05",
    "202601",
    "soon",
    "令和8年1月5日",
    "5 January 2026",
    "2026-01-05 or later",
    "2026-01T10:00",
  ])("gives nothing for %p", (written) => {
    expect(dayOfDate(written)).toBeNull();
  });

  test("reads every day of the calendar in each form, and orders the days as time does", () => {
    const day = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(day, day, (one, other) => {
        const [a, b] = [one, other].map((date) => date.toISOString().slice(0, 10)) as [string, string];
        const [year, month, dayOfMonth] = a.split("-").map(Number);
        const padded = String(year).padStart(4, "0");
        expect(dayOfDate(`${padded}/${month}/${dayOfMonth}`)).toBe(a);
        expect(dayOfDate(`${padded}年${month}月${dayOfMonth}日`)).toBe(a);
        expect(dayOfDate(a)! < dayOfDate(b)!).toBe(Date.parse(a) < Date.parse(b));
      }),
    );
  });
});

describe("daysOfBound", () => {
  test.each([
    ["2026", "2026-01-01", "2026-12-31"],
    ["2026-2", "2026-02-01", "2026-02-28"],
    ["2024年2月", "2024-02-01", "2024-02-29"],
    ["2026/04", "2026-04-01", "2026-04-30"],
    ["2026-01-05", "2026-01-05", "2026-01-05"],
  ])("gives %p from %p to %p", (written, first, last) => {
    expect(daysOfBound(written)).toEqual({ first, last });
  });

  test.each(["2026-01-05T10:00", "yesterday", "2026-02-30"])("gives nothing for %p", (written) => {
    expect(daysOfBound(written)).toBeNull();
  });
});
