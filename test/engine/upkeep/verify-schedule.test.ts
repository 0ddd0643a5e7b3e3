import { describe, expect, test } from "bun:test";
import { VERIFY_EVERY_MS, verifySchedule } from "../../../src/engine/upkeep/verify-schedule.ts";

describe("verifySchedule", () => {
  test("says yes once every six hours, and not at the start", () => {
    let now = 1000;
    const isDue = verifySchedule({ now: () => now });
    expect(isDue()).toBe(false);
    now += VERIFY_EVERY_MS - 1;
    expect(isDue()).toBe(false);
    now += 1;
    expect([isDue(), isDue()]).toEqual([true, false]);
    now += 3 * VERIFY_EVERY_MS;
    expect([isDue(), isDue()]).toEqual([true, false]);
  });
});
