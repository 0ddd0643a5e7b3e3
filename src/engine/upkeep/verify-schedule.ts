/**
 * When a server's run reads every file again, whatever the stats say: now and then, since a
 * file system may keep a file's size, times and inode although its bytes are others.
 *
 * In goes the time, out comes whether the run that begins now should verify.
 */
import type { Clock } from "./background-updates.ts";

/** Between two such runs, in milliseconds: six hours. The first comes so long after the start. */
export const VERIFY_EVERY_MS = 6 * 3_600_000;

/** Asked once for each run that begins; answers yes when the last yes is long ago. */
export function verifySchedule({ now }: Pick<Clock, "now">): () => boolean {
  let verifiedAt = now();
  return () => {
    if (now() - verifiedAt < VERIFY_EVERY_MS) return false;
    verifiedAt = now();
    return true;
  };
}
