/**
 * A throw-away folder of documents for one test.
 *
 * Made under the system's temporary folder, removed when the `using` block ends.
 * Running the program on it is done in `run-binary.ts`.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Made empty; readable and writable by everybody, so that tests may drop privileges. */
export class TestFolder implements Disposable {
  /** Canonical. */
  readonly path: string;

  constructor() {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), "kb-test-")));
    chmodSync(this.path, 0o777);
  }

  /** A folder that starts as a copy of `source`. */
  static copyOf(source: string): TestFolder {
    const folder = new TestFolder();
    cpSync(source, folder.path, { recursive: true });
    return folder;
  }

  at(...parts: readonly string[]): string {
    return join(this.path, ...parts);
  }

  /** Writes a file and the folders above it; answers with its full path. */
  write(path: string, content: string | Uint8Array): string {
    const file = this.at(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  read(path: string): string {
    return readFileSync(this.at(path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(this.at(path));
  }

  list(path = "."): string[] {
    return readdirSync(this.at(path)).sort();
  }

  mkdir(path: string): string {
    mkdirSync(this.at(path), { recursive: true });
    return this.at(path);
  }

  rename(from: string, to: string): void {
    mkdirSync(dirname(this.at(to)), { recursive: true });
    renameSync(this.at(from), this.at(to));
  }

  remove(path: string): void {
    rmSync(this.at(path), { recursive: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The sample documents that come with the project. */
export const SAMPLE_FOLDER: string = join(import.meta.dir, "..", "fixtures", "sample");
