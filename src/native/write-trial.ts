/**
 * Whether a file can be made in a folder, found out by making one and removing it.
 *
 * In goes a folder, out comes the system's reason against it. Permissions alone do not tell:
 * disks are full, or mounted read-only.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../errors.ts";

/**
 * The reason why `folder`, which is made if it is missing, cannot be written; undefined if it can.
 */
export function findWriteProblem(folder: string): string | undefined {
  const file = join(folder, `.kb-trial.${process.pid}.${crypto.randomUUID()}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, "kb", { flag: "wx" });
    rmSync(file);
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
