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
import type { Hit } from "../../src/engine/search-answer.ts";
import { searchIndex } from "../../src/engine/search-index.ts";
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
}

/** @param engine What compares vectors; the figures are the same. */
export async function openJudgedIndex(engine: VectorEngineName = "sqlite-vec"): Promise<JudgedIndex> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kb-judged-")));
  cpSync(CORPUS_FOLDER, folder, { recursive: true });
  const embedder = openBuiltinEmbedder({
    cacheFolder: join(folder, ".cache"),
    runtime: parseRuntime(process.env),
  });
  await indexOnce(folder, embedder);
  const file = findIndexFile(join(folder, ".kb"));
  if (file === undefined) throw new Error(`no index was made of ${folder}`);
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
  return {
    queries: loadJudgedQueries(),
    async search(query, settings) {
      const config = parseConfig(settings, "the settings of a variant");
      return (await searchIndex({ db, embedder: remembering, config }, { query, limit: 10 })).results;
    },
    async [Symbol.asyncDispose]() {
      db.close();
      await embedder.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
