/**
 * The vector stage: chunks a second, against one plain session on the same texts.
 *
 * Every chunk has exactly 256 tokens, the most a chunk has by default. The executable and
 * the plain session take turns, so that their ratio does not depend on the hour. Start,
 * model loading and, for the executable, storing are part of the time.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { embeddingTextOf } from "../../src/core/document.ts";
import { chooseRuntime } from "../../src/embed/runtime-choice.ts";
import { openTextEncoder, openTokenizer, prefixOf } from "../../src/embed/text-encoder.ts";
import { getPendingChunks, listPendingIds } from "../../src/store/chunks.ts";
import { findIndexFile } from "../../src/store/index-location.ts";
import { openIndex } from "../../src/store/open.ts";
import { type FigureGroup, ratios } from "./figure.ts";
import { indexToTextRatio, removeIndex } from "./folders.ts";
import { processFigures, runKb } from "./kb-process.ts";
import type { Launched } from "./launcher.ts";
import { writeExactChunks } from "./synthetic-folder.ts";
import type { Workbench } from "./workbench.ts";

const CHUNKS = 400;
const CHUNK_TOKENS = 256;
const PLAIN_THREADS = 2;

/** One group. */
export async function* measureVectors(bench: Workbench): AsyncGenerator<FigureGroup> {
  const folder = join(bench.place, "exact-chunks");
  const textOnly = join(bench.place, "exact-chunks-text-index");
  writeExactChunks(folder, CHUNKS, CHUNK_TOKENS);
  await runKb(bench, ["index", folder, "--no-vectors"]);
  cpSync(join(folder, ".kb"), textOnly, { recursive: true });
  const texts = readTexts(folder);

  const pool: Launched[] = [];
  const plainMs: number[] = [];
  const rounds = bench.runs(3);
  for (let round = 0; round <= rounds; round += 1) {
    bench.say(`vectors: round ${round} of ${rounds}${round === 0 ? ", not counted" : ""}`);
    removeIndex(folder);
    cpSync(textOnly, join(folder, ".kb"), { recursive: true });
    const run = await runKb(bench, ["index", folder, "--json"]);
    expectEmbedded(run, texts.length);
    const plain = await embedPlainly(bench, texts);
    if (round === 0) continue;
    pool.push(run);
    plainMs.push(plain);
  }

  const poolRates = pool.map(({ wallMs }) => (texts.length / wallMs) * 1000);
  const plainRates = plainMs.map((ms) => (texts.length / ms) * 1000);
  yield {
    measurement: "vectors",
    folder: null,
    facts: [
      `${texts.length} chunks of ${CHUNK_TOKENS} tokens; the plain session has ${PLAIN_THREADS} threads`,
    ],
    figures: [
      { name: "chunks a second, kb index", unit: "per-second", values: poolRates },
      { name: "chunks a second, plain session", unit: "per-second", values: plainRates },
      { name: "kb index / plain session", unit: "times", values: ratios(poolRates, plainRates) },
      ...processFigures("kb index, vectors only", pool, "seconds"),
      { name: "index size / text size", unit: "times", values: [indexToTextRatio(folder)] },
    ],
  };
}

/** What the vector stage embeds. @throws {Error} Unless every text has as many tokens as it should. */
function readTexts(folder: string): string[] {
  using db = openIndex(findIndexFile(join(folder, ".kb"))!, { mode: "read" });
  const texts = getPendingChunks(db, listPendingIds(db)).map(embeddingTextOf);
  const tokenizer = openTokenizer();
  const odd = texts.filter((text) => tokenizer.countTokens(prefixOf("passage") + text) !== CHUNK_TOKENS);
  if (texts.length === CHUNKS && odd.length === 0) return texts;
  throw new Error(
    `${texts.length} chunks were made, ${odd.length} of them without exactly ${CHUNK_TOKENS} tokens`,
  );
}

/** Milliseconds one session takes for loading and for all texts, one after the other. */
async function embedPlainly({ place }: Workbench, texts: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const { files } = chooseRuntime(join(place, "cache"), "native");
  const encoder = await openTextEncoder(files, { threads: PLAIN_THREADS });
  try {
    for (const text of texts) encoder.encode(text, "passage");
    return performance.now() - startedAt;
  } finally {
    encoder.close();
  }
}

function expectEmbedded({ stdout }: Launched, expected: number): void {
  const { embedded } = (JSON.parse(stdout) as { readonly vectors: { readonly embedded: number } }).vectors;
  if (embedded !== expected) throw new Error(`${embedded} vectors were made instead of ${expected}`);
}
