/**
 * A disk of a few megabytes in memory, for what happens when one is full or runs no programs.
 *
 * Needs root; tests ask `canMount` and leave themselves out where it is false.
 */
import { rmdirSync } from "node:fs";
import { TestFolder } from "./test-folder.ts";

export class SmallDisk implements Disposable {
  readonly path: string;
  readonly #folder = new TestFolder();

  /** @param options As `mount -o` takes them, such as `size=4m`. */
  constructor(options: string) {
    this.path = this.#folder.mkdir("disk");
    mount(["-t", "tmpfs", "-o", options, "kb-test", this.path]);
  }

  /** Changes size or flags while it is in use. */
  remount(options: string): void {
    mount(["-o", `remount,${options}`, this.path]);
  }

  [Symbol.dispose](): void {
    Bun.spawnSync(["umount", "-l", this.path]);
    rmdirSync(this.path);
    this.#folder[Symbol.dispose]();
  }
}

/** Whether this process may mount. */
export const canMount: boolean = (() => {
  try {
    using _disk = new SmallDisk("size=1m");
    return true;
  } catch {
    return false;
  }
})();

function mount(args: readonly string[]): void {
  const { success, stderr } = Bun.spawnSync(["mount", ...args]);
  if (!success) throw new Error(stderr.toString());
}
