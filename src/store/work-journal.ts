/**
 * What a run has in hand, on disk, so that the next run knows what a crash happened at.
 *
 * In go paths and hashes as work on them begins and ends; a process that ends in order removes
 * the file. What is still in it when the next run begins is suspect. The holder of the writer lock
 * writes it, with one system call each time and without waiting for the disk: a process that dies takes
 * nothing back that it wrote. What becomes of suspects is decided in `engine/indexing/`.
 */
import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { guardIndexFolder } from "./folder-guard.ts";

/** What was in hand when a run ended without a word. */
export interface WorkLeft {
  /** Of the process. */
  readonly pid: number;
  /** Document keys. */
  readonly files: readonly string[];
  /** Input hashes of passages, hex. */
  readonly texts: readonly string[];
  /** Whether nothing else was in hand, so that there is no doubt about what it was. */
  readonly isAlone: boolean;
}

export const JOURNAL_NAME = "at-work";

/** What the last run left; undefined if it ended in order, or what it left cannot be read. */
export function findWorkLeft(directory: string): WorkLeft | undefined {
  guardIndexFolder(directory);
  try {
    const line = readFileSync(join(directory, JOURNAL_NAME), "utf8").split("\n", 1)[0]!;
    const { pid, files, texts, isAlone } = JSON.parse(line) as Partial<WorkLeft>;
    const isWhole = typeof pid === "number" && isListOfTexts(files) && isListOfTexts(texts);
    return isWhole ? { pid, files, texts, isAlone: isAlone === true } : undefined;
  } catch {
    return undefined; // none, or torn by the machine's end: then no file is to blame
  }
}

/** Forgets what a process left that was killed on purpose. */
export function forgetWorkLeft(directory: string, pid: number): void {
  if (findWorkLeft(directory)?.pid === pid) rmSync(join(directory, JOURNAL_NAME), { force: true });
}

/** Kept by one run. Where it cannot be written, a crash is only not explained. */
export class WorkJournal implements Disposable {
  readonly #file: string;
  #descriptor: number | undefined;
  #length = 0;
  #isLeft = false;

  /** Replaces what an earlier run left; nothing is written before the first `note`. */
  constructor(directory: string) {
    this.#file = join(directory, JOURNAL_NAME);
  }

  /**
   * Says what is in hand from now on.
   *
   * @param kind Keys of documents, or input hashes of passages.
   * @param names Each as JSON text, so that what stays in hand is not written out again.
   * @param isAlone Whether this is tried by itself, since a crash happened near it.
   */
  note(kind: "files" | "texts", names: readonly string[], isAlone: boolean): void {
    const lists = { files: "[]", texts: "[]", [kind]: `[${names.join()}]` };
    const { files, texts } = lists;
    const line = `{"pid":${process.pid},"isAlone":${isAlone},"files":${files},"texts":${texts}}\n`;
    // The rest of a longer line is covered rather than cut, which would be a second system call.
    const bytes = Buffer.from(line.padEnd(this.#length));
    this.#length = Buffer.byteLength(line);
    try {
      this.#descriptor ??= openSync(this.#file, WRITE_FLAGS, 0o600);
      writeSync(this.#descriptor, bytes, 0, bytes.length, 0);
    } catch {
      // Such as on a full disk, which whoever writes the index will tell.
    }
  }

  /** Leaves what an earlier run left for the next one, since this one was stopped before it came to it. */
  leave({ files, texts, isAlone }: WorkLeft): void {
    const [kind, names] = files.length > 0 ? (["files", files] as const) : (["texts", texts] as const);
    this.note(
      kind,
      names.map((name) => JSON.stringify(name)),
      isAlone,
    );
    this.#close();
    this.#isLeft = true;
  }

  /** The run ends in order, whatever it did. */
  [Symbol.dispose](): void {
    if (this.#isLeft) return;
    this.#close();
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // Then the next run takes a closer look than it needs to.
    }
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

const WRITE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
