/**
 * Calls made as somebody to whom permissions apply.
 *
 * The superuser reads everything, so its rights are put down for the call; a plain user is left as it is.
 */

const NOBODY = 65534;

/** As `nobody` if this is the superuser. What the call needs beside the folder must be loaded already. */
export function unprivileged<Result>(call: () => Result): Result {
  if (process.geteuid?.() !== 0) return call();
  process.seteuid?.(NOBODY);
  try {
    return call();
  } finally {
    process.seteuid?.(0);
  }
}

/** The same for a call that takes its time; nothing else may go on meanwhile. */
export async function unprivilegedUntilDone<Result>(call: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return call();
  process.seteuid?.(NOBODY);
  try {
    return await call();
  } finally {
    process.seteuid?.(0);
  }
}
