/**
 * Waiting for one's turn to write an index.
 *
 * Runs that start together mostly have the same little to do, so a later one waits a while
 * before it is refused. What the lock is made of is known to `store/writer-lock.ts`.
 */
import { AppError } from "../../errors.ts";
import { acquireWriterLock, type WriterLock } from "../../store/writer-lock.ts";

/** Milliseconds: long enough for a few short runs, short enough for somebody who looks on. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 50;

/**
 * The writer lock of an index folder, as soon as it is free.
 *
 * @param signal Ends the waiting.
 * @throws {AppError} `busy` naming the holder if it is still not free after 10 seconds; `io` as usual.
 */
export async function waitForTurn(directory: string, signal: AbortSignal): Promise<WriterLock> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return acquireWriterLock(directory);
    } catch (thrown) {
      const mayPass = thrown instanceof AppError && thrown.code === "busy" && !signal.aborted;
      if (!mayPass || performance.now() > deadline) throw thrown;
      await Bun.sleep(PAUSE_MS);
    }
  }
}
