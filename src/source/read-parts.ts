/**
 * A large file as text in parts, so that memory does not grow with it.
 *
 * The first pass (`surveyText`) tells the hash and whether the file is plain UTF-8; the second one
 * (`readTextParts`) gives its text, equal to that of `readDocument`, and makes sure that it was the
 * same bytes. Everything that is not plain UTF-8 is left to `source/read.ts`, which reads it whole.
 */
import { createHash } from "node:crypto";
import {
  fill,
  type RawFile,
  type ReadOptions,
  type ReadSkip,
  type ReadStat,
  withCheckedFile,
} from "./read.ts";
import { countControls, LARGEST_SHARE_OF_CONTROLS } from "./text.ts";

/** What is known of a text after the first pass. */
export interface TextSurvey extends ReadStat {
  readonly kind: "survey";
  /** SHA-256 of the raw bytes, hex. */
  readonly contentHash: string;
  /** Length of the text, in UTF-16 units. */
  readonly units: number;
  /** Whether anything in it is not white space. */
  readonly hasWords: boolean;
  /** Whether it has line feeds, so that a lone CR is none. */
  readonly hasLineFeeds: boolean;
}

/** Not plain UTF-8, or maybe not. */
export interface OtherText {
  readonly kind: "other";
}

/** Thrown by `readTextParts`; the message is the reason, in words for the user. */
export class InterruptedReading extends Error {}

/** Reads the whole file in constant memory; nothing is thrown for a file. */
export function surveyText(
  root: string,
  file: RawFile,
  options: ReadOptions,
): TextSurvey | OtherText | ReadSkip {
  return withCheckedFile(root, file, options, (descriptor, stat) => {
    const hash = createHash("sha256");
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let [units, crlf, controls] = [0, 0, 0];
    let [hasWords, hasLineFeeds, isFirst, endsWithCr] = [false, false, true, false];
    try {
      for (const bytes of listParts(descriptor, stat.size, PART_BYTES)) {
        if (bytes.includes(0) || bytes.includes(ESCAPE)) return { kind: "other" };
        hash.update(bytes);
        controls += countControls(bytes);
        let text = decoder.decode(bytes, { stream: true });
        if (isFirst) text = withoutMarks(text);
        isFirst &&= text === "";
        units += text.length;
        if (endsWithCr && text.startsWith("\n")) crlf += 1;
        for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) crlf += 1;
        if (text !== "") endsWithCr = text.endsWith("\r");
        hasLineFeeds ||= text.includes("\n");
        hasWords ||= /\S/.test(text);
      }
      decoder.decode();
    } catch (thrown) {
      // A fatal decoder says "other encoding" by throwing.
      if (thrown instanceof TypeError) return { kind: "other" };
      throw thrown;
    }
    if (controls > stat.size * LARGEST_SHARE_OF_CONTROLS) return { kind: "other" };
    const contentHash = hash.digest("hex");
    return { kind: "survey", contentHash, units: units - crlf, hasWords, hasLineFeeds, ...stat };
  });
}

/**
 * The text that was surveyed, in parts. The file is open as long as it is iterated.
 *
 * @param partBytes Size of a part; its text may be a character shorter or longer.
 * @throws {InterruptedReading} If the file cannot be read any more or is another one now; then nothing of it is to be kept.
 */
export function* readTextParts(
  root: string,
  file: RawFile,
  survey: TextSurvey,
  partBytes = PART_BYTES,
): Generator<string> {
  const hash = createHash("sha256");
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let carried = "";
  let isFirst = true;
  for (let done = 0; done < survey.size; done += partBytes) {
    const bytes = readPart(root, file, survey, done, partBytes);
    hash.update(bytes);
    let text = carried + decoder.decode(bytes, { stream: true });
    if (isFirst) text = withoutMarks(text);
    isFirst &&= text === "";
    carried = text.endsWith("\r") ? "\r" : "";
    yield withLineFeeds(carried === "" ? text : text.slice(0, -1), survey.hasLineFeeds);
  }
  if (carried !== "") yield withLineFeeds(carried, survey.hasLineFeeds);
  if (hash.digest("hex") !== survey.contentHash) throw new InterruptedReading(CHANGED);
}

const PART_BYTES = 1024 * 1024;
const ESCAPE = 0x1b;
const CHANGED = "it was changed while it was read";

/** Opened anew for each part: the checks of `withCheckedFile` hold for all of them. */
function readPart(
  root: string,
  file: RawFile,
  { inode, size }: TextSurvey,
  position: number,
  partBytes: number,
): Uint8Array {
  type Outcome = ReadSkip | { readonly kind: "part"; readonly bytes: Uint8Array };
  const part = withCheckedFile<Outcome>(
    root,
    file,
    { maxBytes: Number.MAX_SAFE_INTEGER },
    (descriptor, stat) => {
      if (stat.inode !== inode) return { kind: "skip", reason: CHANGED };
      const bytes = new Uint8Array(Math.min(partBytes, size - position));
      return { kind: "part", bytes: bytes.subarray(0, fill(descriptor, bytes, position)) };
    },
  );
  if (part.kind === "skip") throw new InterruptedReading(part.reason);
  return part.bytes;
}

function* listParts(descriptor: number, size: number, partBytes: number): Generator<Uint8Array> {
  for (let done = 0; done < size; ) {
    const bytes = new Uint8Array(Math.min(partBytes, size - done));
    const length = fill(descriptor, bytes, done);
    if (length === 0) return;
    yield bytes.subarray(0, length);
    done += length;
  }
}

/** Not left to the decoder, which takes one off from the start of each part. */
function withoutMarks(text: string): string {
  return text.replace(/^\uFEFF+/, "");
}

function withLineFeeds(text: string, hasLineFeeds: boolean): string {
  if (!text.includes("\r")) return text;
  return hasLineFeeds ? text.replaceAll("\r\n", "\n") : text.replaceAll("\r", "\n");
}
