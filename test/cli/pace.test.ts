import { describe, expect, test } from "bun:test";
import { PaceMeter } from "../../src/cli/pace.ts";

describe("PaceMeter", () => {
  test("tells nothing before something was done since the first count", () => {
    const meter = new PaceMeter();
    expect(meter.measure(0, 100, 0)).toBeUndefined();
    expect(meter.measure(0, 100, 5000)).toBeUndefined();
  });

  test("divides what was done by the time it took", () => {
    const meter = new PaceMeter();
    meter.measure(0, 100, 1000);
    expect(meter.measure(20, 100, 3000)).toEqual({ perSecond: 10, remainingSeconds: 8 });
    expect(meter.measure(100, 100, 11_000)).toEqual({ perSecond: 10, remainingSeconds: 0 });
  });

  test("does not count what was done before it looked", () => {
    const meter = new PaceMeter();
    meter.measure(900, 1000, 0);
    expect(meter.measure(910, 1000, 1000)).toEqual({ perSecond: 10, remainingSeconds: 9 });
  });

  test("forgets what is half a minute old, so that it follows a run that becomes slower", () => {
    const meter = new PaceMeter();
    for (let second = 0; second <= 30; second++) meter.measure(second * 100, 100_000, second * 1000);
    let last: ReturnType<PaceMeter["measure"]>;
    for (let second = 31; second <= 61; second++)
      last = meter.measure(3000 + (second - 30), 100_000, second * 1000);
    expect(last!.perSecond).toBeCloseTo(1, 5);
  });

  test("tells nothing where the time stands still", () => {
    const meter = new PaceMeter();
    meter.measure(0, 10, 7);
    expect(meter.measure(5, 10, 7)).toBeUndefined();
  });
});
