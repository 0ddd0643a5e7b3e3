/**
 * The failure that a call throws, for tests that look at its code and hint.
 */
import { AppError } from "../../src/errors.ts";

/** @throws Whatever else the call throws, or an error if it throws nothing. */
export function failureOf(act: () => unknown): AppError {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}
