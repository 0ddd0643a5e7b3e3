/**
 * Ends an indexing process at the moment it has something in hand, as a crash there would.
 *
 * What it has in hand is read from the journal it keeps for just that. The process is found
 * there too, so that the child of a server can be met.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { findWorkLeft, JOURNAL_NAME, type WorkLeft } from "../../src/store/work-journal.ts";

/**
 * Waits until a living process has it in hand, and kills that process.
 *
 * @param root The folder of documents.
 * @returns What was in hand, and by whom.
 */
export async function crashAt(root: string, isInHand: (work: WorkLeft) => boolean): Promise<WorkLeft> {
  const directory = join(root, ".kb");
  for (;;) {
    const work = existsSync(join(directory, JOURNAL_NAME)) ? findWorkLeft(directory) : undefined;
    if (work !== undefined && isInHand(work) && isAlive(work.pid)) {
      process.kill(work.pid, "SIGKILL");
      return work;
    }
    await Bun.sleep(1);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
