/**
 * Tells a bug from the consequence of a damaged index.
 *
 * A bit that changed on disk can turn a text into a number or into nothing, and whoever uses it
 * fails in a way that looks like a bug. So before something is called one, the index is checked.
 */
import { AppError } from "../errors.ts";
import { requireConsistency } from "../store/consistency.ts";
import { openIndex } from "../store/open.ts";
import { isDamage } from "../store/sqlite-errors.ts";

/** The error to throw in place of `thrown`: `corrupt` if it looked like a bug and the index at `file` contradicts itself. */
export function explainByDamage(thrown: unknown, file: string): unknown {
  if (thrown instanceof AppError) return thrown;
  try {
    using db = openIndex(file, { mode: "read" });
    requireConsistency(db);
    return thrown;
  } catch (found) {
    return isDamage(found) ? found : thrown;
  }
}
