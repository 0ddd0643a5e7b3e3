/**
 * Renaming over a file that others may be reading.
 *
 * In go two paths in one folder. On Windows such a rename is refused for as long as anybody,
 * a virus scanner included, has the old file open; here that is waited out. Writing the new
 * file is the caller's business.
 */
import { renameSync } from "node:fs";

/**
 * Puts `from` in the place of `to`, in one step.
 *
 * @throws The system's error, on Windows after half a second of trying.
 */
export function replaceFile(from: string, to: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (process.platform !== "win32" || !IN_USE.has(code) || attempt === MAX_ATTEMPTS) throw error;
      Bun.sleepSync(PAUSE_MS);
    }
  }
}

const IN_USE = new Set(["EACCES", "EBUSY", "EPERM"]);
const MAX_ATTEMPTS = 50;
const PAUSE_MS = 10;
