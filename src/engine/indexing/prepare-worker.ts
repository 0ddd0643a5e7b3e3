/**
 * The inside of one preparing thread: an entry point of its own in the build.
 *
 * In come the run's settings once, then files, several at a time; out goes what
 * `prepare-document.ts` makes of them, in order. Only the tokenizer is opened here, neither
 * model nor index. What happens when this thread dies is the business of `prepare-pool.ts`.
 */
import { countPassageTokens, openTokenizer } from "../../embed/text-encoder.ts";
import type { Tokenizer } from "../../embed/tokenizer.ts";
import type { FoundFile } from "../../source/walk.ts";
import { type PreparedFile, type PrepareSettings, prepareDocument } from "./prepare-document.ts";

/** What a worker is told. The first message is always `open`; one answer, a list of `PreparedFile`, to each `prepare`. */
export type PrepareRequest =
  | { readonly kind: "open"; readonly settings: PrepareSettings }
  | { readonly kind: "prepare"; readonly files: readonly FoundFile[] };

declare const self: {
  onmessage: (event: MessageEvent<PrepareRequest>) => void;
  postMessage(answer: readonly PreparedFile[]): void;
};

let settings: PrepareSettings | undefined;
let tokenizer: Tokenizer | undefined;

self.onmessage = ({ data: request }) => {
  if (request.kind === "open") {
    settings = request.settings;
    tokenizer = openTokenizer();
  } else {
    self.postMessage(request.files.map(prepare));
  }
};

function prepare(file: FoundFile): PreparedFile {
  if (settings === undefined || tokenizer === undefined)
    throw new RangeError("a worker was given files before its settings");
  const counting = tokenizer;
  return prepareDocument(file, settings, (text) => countPassageTokens(counting, text));
}
