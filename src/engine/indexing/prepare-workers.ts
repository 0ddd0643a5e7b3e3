/**
 * How many threads prepare documents beside the one that stores them. What they do is `prepare-pool.ts`,
 * which is loaded only by a run; this is asked before one.
 */
import { availableParallelism } from "node:os";

/** One for each core but that of the calling thread, up to a limit. */
export function countPrepareWorkers(): number {
  return Math.min(availableParallelism() - 1, MAX_PREPARE_WORKERS);
}

/** More would wait for the one thread that writes. */
const MAX_PREPARE_WORKERS = 4;
