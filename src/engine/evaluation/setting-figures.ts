/**
 * The figures of many settings over many queries, in little memory.
 *
 * Kept for each query is only what settings are chosen by; of the other figures there are sums.
 */
import type { ScoreTable } from "../../core/cross-validation.ts";
import type { QueryMetrics } from "./eval-report.ts";
import type { TrialReport } from "./tune-report.ts";

export class SettingFigures {
  /** nDCG@5 by setting and query. */
  readonly primary: ScoreTable;
  readonly #primary: readonly Float64Array[];
  readonly #depths: readonly number[];
  readonly #queryCount: number;
  /** By setting: recall at each depth, then nDCG at each depth, then MRR. */
  readonly #sums: readonly Float64Array[];

  /** @param depths Rising; 5 is one of them. */
  constructor(settingCount: number, queryCount: number, depths: readonly number[]) {
    this.#depths = depths;
    this.#queryCount = queryCount;
    this.#primary = Array.from({ length: settingCount }, () => new Float64Array(queryCount));
    this.primary = this.#primary;
    this.#sums = Array.from({ length: settingCount }, () => new Float64Array(2 * depths.length + 1));
  }

  /** @param trials One for each setting. */
  add(query: number, trials: readonly QueryMetrics[]): void {
    const count = this.#depths.length;
    for (const [setting, { recall_at_k, ndcg_at_k, reciprocal_rank }] of trials.entries()) {
      const sums = this.#sums[setting]!;
      for (const [at, k] of this.#depths.entries()) {
        sums[at]! += recall_at_k[k]!;
        sums[count + at]! += ndcg_at_k[k]!;
      }
      sums[2 * count]! += reciprocal_rank;
      this.#primary[setting]![query] = ndcg_at_k[5]!;
    }
  }

  /** Means over all queries; 0 without any. */
  measuresOf(setting: number): TrialReport["measures"] {
    const sums = this.#sums[setting]!;
    const mean = (at: number) => (this.#queryCount === 0 ? 0 : sums[at]! / this.#queryCount);
    const count = this.#depths.length;
    const table = (from: number) => Object.fromEntries(this.#depths.map((k, at) => [k, mean(from + at)]));
    return { recall_at_k: table(0), mrr: mean(2 * count), ndcg_at_k: table(count) };
  }
}
