/**
 * The judged corpus, indexed once with the built-in model, and searched with any settings.
 *
 * The index lies in a temporary folder; opening it takes some seconds, since every passage gets
 * a real vector, from the runtime that `KB_RUNTIME` names. Settings are those of `kb.toml`.
 */
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../src/config/load.ts";
import { parseRuntime } from "../../src/config/variables.ts";
import { openBuiltinEmbedder } from "../../src/embed/builtin-embedder.ts";
import { BUILTIN_IDENTITY } from "../../src/embed/builtin-model.ts";
import type { EvalParts } from "../../src/engine/evaluation/evaluate.ts";
import type { Hit } from "../../src/engine/search/search-answer.ts";
import { type FoundAnswer, searchIndex } from "../../src/engine/search/search-index.ts";
import { locateVectorExtension } from "../../src/native/vector-extension.ts";
import { findIndexFile } from "../../src/store/index-location.ts";
import { openIndex } from "../../src/store/open.ts";
import type { VectorEngineName } from "../../src/store/vector-engine.ts";
import { indexOnce } from "../support/test-engine.ts";
import { CORPUS_FOLDER, type JudgedQuery, loadJudgedQueries } from "./judged-set.ts";

/** A table as `kb.toml` would hold it. */
export type Settings = Readonly<Record<string, unknown>>;

export interface JudgedIndex extends AsyncDisposable {
  readonly queries: readonly JudgedQuery[];
  /** The first ten hits. Queries are embedded once, however often they are asked. */
  search(query: string, settings: Settings): Promise<readonly Hit[]>;
  /** The same with what else the answer says. */
  answer(query: string, settings: Settings): Promise<FoundAnswer>;
  /** What `kb eval` and `kb tune` work with; the folder has the corpus and may be written to. */
  parts(settings: Settings): EvalParts;
}

export interface JudgedIndexOptions {
  /** What compares vectors; the figures are the same. */
  readonly engine?: VectorEngineName;
  /** Share of the passages that have a vector, 0 to 1, as while an index is being made; chosen by id, the same each time. */
  readonly coverage?: number;
}

export async function openJudgedIndex({
  engine = "sqlite-vec",
  coverage = 1,
}: JudgedIndexOptions = {}): Promise<JudgedIndex> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kb-judged-")));
  cpSync(CORPUS_FOLDER, folder, { recursive: true });
  const embedder = openBuiltinEmbedder({
    cacheFolder: join(folder, ".cache"),
    runtime: parseRuntime(process.env),
  });
  await indexOnce(folder, embedder);
  const file = findIndexFile(join(folder, ".kb"));
  if (file === undefined) throw new Error(`no index was made of ${folder}`);
  takeVectorsAway(file, coverage);
  const db = openIndex(file, {
    mode: "read",
    ...(engine === "js"
      ? {}
      : {
          vectorExtensionPath: locateVectorExtension(join(folder, ".cache")),
          isVectorExtensionRequired: true,
        }),
  });
  const vectors = new Map<string, Float32Array>();
  const remembering = {
    ...embedder,
    identity: BUILTIN_IDENTITY,
    async embedQuery(text: string) {
      const vector = vectors.get(text) ?? (await embedder.embedQuery(text));
      vectors.set(text, vector);
      return vector;
    },
  };
  const parts = (settings: Settings) => ({
    db,
    embedder: remembering,
    config: parseConfig(settings, "the settings of a variant"),
    root: folder,
  });
  const answer = (query: string, settings: Settings) => searchIndex(parts(settings), { query, limit: 10 });
  return {
    queries: loadJudgedQueries(),
    answer,
    parts,
    search: async (query, settings) => (await answer(query, settings)).results,
    async [Symbol.asyncDispose]() {
      db.close();
      await embedder.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function takeVectorsAway(file: string, coverage: number): void {
  using db = openIndex(file, { mode: "write" });
  // Multiplying by the golden ratio spreads neighbouring ids evenly over 0 to 1.
  const condition = `chunk_id * 0.6180339887 - floor(chunk_id * 0.6180339887) >= ${coverage}`;
  db.execute(`
    INSERT INTO pending_vectors SELECT chunk_id FROM chunk_vectors WHERE ${condition};
    DELETE FROM chunk_vectors WHERE ${condition};`);
}
