/**
 * What makes two measurements comparable: every stage, setting and model that a ranking depends on.
 *
 * In go the index, the configuration and the question put; out comes a table that is compared as
 * a whole. The corpus is not in it on purpose: a folder that grows must stay comparable.
 */
import { isDeepStrictEqual } from "node:util";
import type { StoredRun } from "../../config/eval-history.ts";
import type { Config } from "../../config/schema.ts";
import type { Embedder } from "../../core/embedder.ts";
import { FUSION_VERSION } from "../../core/fusion.ts";
import { METRIC_VERSION } from "../../core/metrics.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { countStages } from "../../store/readings.ts";
import { STAGE_VERSIONS } from "../indexing/stage-versions.ts";

type Fingerprint = StoredRun["fingerprint"];

/** What is asked of the search. */
export interface AskedDepths {
  readonly limit: number;
  /** Rising, each once. */
  readonly depths: readonly number[];
  readonly goldenHash: string;
}

/** In the form that JSON keeps, so that it compares with one that was read. */
export function fingerprintOf(
  db: IndexDatabase,
  config: Config,
  { identity }: Pick<Embedder, "identity">,
  { limit, depths, goldenHash }: AskedDepths,
): Fingerprint {
  // Left out: what changes which documents there are, how fast it goes, or how it is measured.
  const { index: _index, embedding: _embedding, watch: _watch, eval: _eval, ...settings } = config;
  const madeBy = countStages(db).map(({ parser, chunker }) => ({ parser, chunker }));
  const fingerprint = {
    stages: { ...STAGE_VERSIONS, fusion: FUSION_VERSION, metric: METRIC_VERSION },
    made_by: madeBy.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    settings,
    model: identity,
    limit,
    k_values: depths,
    golden_hash: goldenHash,
  };
  return JSON.parse(JSON.stringify(fingerprint)) as Fingerprint;
}

export function isComparable(one: Fingerprint, other: Fingerprint): boolean {
  return isDeepStrictEqual(one, other);
}

/** The parts in which two fingerprints differ, such as `settings.search.fusion.weight_dense`; at most five. */
export function differencesOf(one: unknown, other: unknown, path = ""): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (!isTable(one) || !isTable(other)) return [path];
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return keys
    .flatMap((key) => differencesOf(one[key], other[key], path === "" ? key : `${path}.${key}`))
    .slice(0, SHOWN_DIFFERENCES);
}

const SHOWN_DIFFERENCES = 5;

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
