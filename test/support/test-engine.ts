/**
 * An engine over a throw-away folder, with the hash embedder instead of the model.
 *
 * Real files, real SQLite, real vector extension; only the meaning of texts is fake.
 */

import type { Embedder } from "../../src/core/embedder.ts";
import { type Engine, openEngine } from "../../src/engine/engine.ts";
import type { IndexFolderOptions } from "../../src/engine/indexing/index-folder.ts";
import type { IndexRunReport } from "../../src/engine/indexing/index-report.ts";
import { HashEmbedder } from "./hash-embedder.ts";

export function testEngine(root: string, embedder: Embedder = new HashEmbedder()): Engine {
  const environment = { variables: { HOME: "/nonexistent" }, cwd: root, platform: process.platform };
  return openEngine({
    root: { named: root, mayUseCwd: false },
    configFile: undefined,
    environment,
    embedder,
  });
}

/** Indexes the folder once, with an engine of its own. */
export async function indexOnce(
  root: string,
  embedder: Embedder = new HashEmbedder(),
  options: Partial<IndexFolderOptions> = {},
): Promise<IndexRunReport> {
  const engine = testEngine(root, embedder);
  try {
    return await engine.index({
      force: false,
      verify: false,
      vectors: true,
      onProgress() {},
      signal: new AbortController().signal,
      ...options,
    });
  } finally {
    await engine.close();
  }
}
