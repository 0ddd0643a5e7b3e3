/**
 * A search by a reader process, with what only the server knows of the index: whether a run is under way.
 */
import type { SearchRequest } from "../../config/request.ts";
import type { IndexState, SearchAnswer } from "../search/search-answer.ts";
import type { StageTime } from "../search/stage-times.ts";
import type { ReaderPool } from "./reader-pool.ts";

/** What the server's upkeep says. */
interface UpkeepState {
  readonly isUnderWay: boolean;
  readonly hasFailed: boolean;
  noteSearch(isBehind: boolean): void;
}

export interface ApartSearchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onChangedDocument?: ((path: string) => void) | undefined;
}

/** @throws {AppError} As `ReaderPool.search`. */
export async function searchApart(
  pool: ReaderPool,
  upkeep: UpkeepState | undefined,
  onStages: (stages: readonly StageTime[]) => void,
  request: SearchRequest,
  { signal, onChangedDocument }: ApartSearchOptions,
): Promise<SearchAnswer> {
  const { answer, changed, stages } = await pool.search(request, signal);
  onStages(stages);
  const state = stateWith(answer.index.state, upkeep);
  if (state === "stale" && changed !== undefined) onChangedDocument?.(changed);
  upkeep?.noteSearch(state === "stale" || answer.index.state === "missing");
  return { ...answer, index: { ...answer.index, state } };
}

function stateWith(state: IndexState, upkeep: UpkeepState | undefined): IndexState {
  if (upkeep?.isUnderWay) return "indexing";
  return state === "ready" && upkeep?.hasFailed ? "stale" : state;
}
