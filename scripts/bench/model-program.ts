/**
 * A process of its own that runs the built-in model on one runtime and prints what that took.
 *
 * Arguments: `native` or `wasm`, and the cache folder. Out comes a `ModelRun` as JSON. Its
 * peak memory is measured by whoever starts it (`model-figures.ts`).
 */
import type { RuntimeKind } from "../../src/core/embedder.ts";
import { shareSessionFiles } from "../../src/embed/open-session.ts";
import { openPassagePool } from "../../src/embed/passage-pool.ts";
import { chooseRuntime } from "../../src/embed/runtime-choice.ts";
import { openTextEncoder, openTokenizer, prefixOf, type TextRole } from "../../src/embed/text-encoder.ts";
import { percentile } from "./figure.ts";

export interface ModelRun {
  /** From nothing to a session that can be asked: library, tokenizer, model. */
  readonly sessionMs: number;
  /** One more query of `QUERY_TOKENS`, the median of many. */
  readonly queryMs: number;
  /** By tokens of a passage: passages a second of `WORKERS` threads that are warm. */
  readonly rates: Readonly<Record<number, number>>;
}

export const QUERY_TOKENS = 16;
export const PASSAGE_TOKENS = [64, 128, 256] as const;
export const WORKERS = 2;

const QUERIES = 20;
/** Some seconds of work for each length. */
const TOKENS_OF_A_ROUND: Readonly<Record<RuntimeKind, number>> = { native: 24_576, wasm: 4_096 };
/** What the texts are made of. */
const WORDS = [
  "the",
  "index",
  "of",
  "documents",
  "索引",
  "と",
  "検索",
  "is",
  "built",
  "again",
  "when",
  "files",
];

if (import.meta.main) {
  const [runtime, cacheFolder] = process.argv.slice(2) as [RuntimeKind, string];
  console.log(JSON.stringify(await runModel(runtime, cacheFolder)));
}

async function runModel(runtime: RuntimeKind, cacheFolder: string): Promise<ModelRun> {
  const startedAt = performance.now();
  const { files } = chooseRuntime(cacheFolder, runtime);
  const encoder = await openTextEncoder(files, { threads: WORKERS });
  const sessionMs = performance.now() - startedAt;

  const query = textOf(QUERY_TOKENS, "query");
  const times = Array.from({ length: 2 * QUERIES }, () => {
    const askedAt = performance.now();
    encoder.encode(query, "query");
    return performance.now() - askedAt;
  });
  encoder.close();

  const pool = openPassagePool(await shareSessionFiles(files), WORKERS);
  const rates: Record<number, number> = {};
  for (const tokens of PASSAGE_TOKENS) {
    const text = textOf(tokens, "passage");
    const texts = Array.from({ length: TOKENS_OF_A_ROUND[runtime] / tokens }, () => text);
    await pool.embedPassages(texts.slice(0, 2 * WORKERS));
    const begunAt = performance.now();
    await pool.embedPassages(texts);
    rates[tokens] = (texts.length / (performance.now() - begunAt)) * 1000;
  }
  await pool.close();
  // The first queries warm up what is compiled while it runs.
  return { sessionMs, queryMs: percentile(times.slice(QUERIES), 0.5), rates };
}

/** A text of exactly so many tokens in its role, prefix and marks included. */
function textOf(tokens: number, role: TextRole): string {
  const tokenizer = openTokenizer();
  let text = "";
  const count = (candidate: string) => tokenizer.countTokens(prefixOf(role) + candidate);
  for (let at = 0; count(text) < tokens; at++) {
    const longer = `${text} ${WORDS[at % WORDS.length]}`;
    text = count(longer) <= tokens ? longer : `${text} a`;
  }
  return text.trim();
}
