/**
 * How many threads prepare documents: by the machine's cores, one of which stores what they made.
 *
 * What they do is in `prepare-pool.ts`.
 */
import { availableParallelism } from "node:os";

/** 0 on a single core, where the calling thread does it. */
export function countPrepareWorkers(): number {
  return Math.min(availableParallelism() - 1, MAX_PREPARE_WORKERS);
}

/** More would wait for the one thread that writes. */
const MAX_PREPARE_WORKERS = 4;
