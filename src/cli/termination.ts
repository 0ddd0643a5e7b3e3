/**
 * The wish of the system, or of whoever started the program, that it end.
 */

/** Settled at the first of the signals that end programs. */
export function untilTerminated(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
