/**
 * What an engine is opened with, and what one search may be told beside its request.
 */
import type { Environment, RootRequest } from "../config/paths.ts";
import type { Embedder } from "../core/embedder.ts";
import type { RefreshPolicy } from "./indexing/refresh.ts";
import type { SearchOptions, SearchParts } from "./search/search-index.ts";
import type { StageTime } from "./search/stage-times.ts";

export interface EngineOptions {
  readonly root: RootRequest;
  /** Given by `--config`; trusted. */
  readonly configFile: string | undefined;
  readonly environment: Environment;
  /** Whether the process answers many questions, so that the model may take longer to load for faster answers. */
  readonly isServer?: boolean;
  /** Whether a command asks many questions itself: the same, in one process. */
  readonly asksMany?: boolean;
  /** Searches go to processes of their own (`http.readers` of them), and `onStages` is told where their time went. */
  readonly readers?: { readonly onStages: (stages: readonly StageTime[]) => void } | undefined;
  /** Takes the place of the built-in model: in tests, and in those processes. */
  readonly embedder?: Embedder;
}

/** What one search may be told beside its request. */
export interface EngineSearchOptions extends SearchOptions {
  /**
   * Gets the path of a hit whose file is another now than was indexed, if there is one; the
   * answer's `index.state` is `stale` then.
   */
  readonly onChangedDocument?: ((path: string) => void) | undefined;
  /** Whether the index is brought up to date first; `never` if not given. */
  readonly refresh?: RefreshPolicy | undefined;
}

/** What a verb works with; closing it stays with the engine. */
export interface LentParts extends SearchParts {
  readonly root: string;
}
