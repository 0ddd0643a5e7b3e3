/** Vectors are refused before anything is stored that cannot be compared. */
import { describe, expect, test } from "bun:test";
import { checkVector } from "../../src/embed/text-encoder.ts";

const unit = () => {
  const vector = new Float32Array(384);
  vector[7] = 1;
  return vector;
};

describe("checkVector", () => {
  test("passes a unit vector on", () => {
    const vector = unit();
    expect(checkVector(vector)).toBe(vector);
  });

  test.each([
    ["too short", unit().subarray(0, 383)],
    ["not a number", unit().fill(Number.NaN, 3, 4)],
    ["infinite", unit().fill(Number.POSITIVE_INFINITY, 3, 4)],
    ["zero", new Float32Array(384)],
    ["twice as long", unit().fill(2, 7, 8)],
  ])("refuses a vector that is %s", (_, vector) => {
    expect(() => checkVector(vector)).toThrow(expect.objectContaining({ code: "model" }));
  });
});
