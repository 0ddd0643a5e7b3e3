/**
 * What is tuned: few numbers that many settings follow from.
 *
 * In go the settings of fusion in use, out come settings to try in their place, nearest first. The
 * axes are shares and a factor instead of the settings themselves, because only ratios matter
 * and a query set of usual size cannot tell more numbers apart.
 */
import type { Config } from "../../config/schema.ts";
import { type GridAxis, gridAround } from "../../core/setting-grid.ts";

export type FusionSettings = Config["search"]["fusion"];

/** Settings to try. */
export interface TunedSettings {
  readonly fusion: FusionSettings;
  /** What the heading weights in use were multiplied with: the lexical legs must be asked anew for each. */
  readonly headingFactor: number;
}

/** Those that tuning may change; `rrf_k` under rank fusion only. */
export const TUNED_KEYS = [
  "weight_terms",
  "weight_phrases",
  "weight_dense",
  "terms_headings_weight",
  "heading_weight",
  "rrf_k",
] as const satisfies readonly (keyof FusionSettings)[];

/** The first are those in use, untouched; the others after the number of steps they are away from these. */
export function settingsToTry(current: FusionSettings): TunedSettings[] {
  const lexical = current.weight_terms + current.weight_phrases;
  const hasHeadings = current.terms_headings_weight + current.heading_weight > 0;
  const axes: readonly GridAxis[] = [
    { current: current.weight_dense / (lexical + current.weight_dense), tried: DENSE_SHARES },
    { current: lexical === 0 ? 0 : current.weight_phrases / lexical, tried: PHRASES_SHARES },
    { current: 1, tried: hasHeadings ? HEADING_FACTORS : [] },
    { current: current.rrf_k, tried: current.method === "rrf" ? DAMPINGS : [] },
  ];
  return gridAround(axes).map(([denseShare, phrasesShare, headingFactor, damping], at) =>
    at === 0
      ? { fusion: current, headingFactor: 1 }
      : {
          headingFactor: headingFactor!,
          fusion: {
            ...current,
            weight_terms: rounded((1 - denseShare!) * (1 - phrasesShare!)),
            weight_phrases: rounded((1 - denseShare!) * phrasesShare!),
            weight_dense: rounded(denseShare!),
            ...headingWeights(current, headingFactor!),
            rrf_k: damping!,
          },
        },
  );
}

/** The heading weights of the legs by words, multiplied; not above what a setting may be. */
export function headingWeights(
  { terms_headings_weight, heading_weight }: FusionSettings,
  factor: number,
): Pick<FusionSettings, "terms_headings_weight" | "heading_weight"> {
  const times = (weight: number) => Math.min(MAX_WEIGHT, rounded(weight * factor));
  return {
    terms_headings_weight: times(terms_headings_weight),
    heading_weight: times(heading_weight),
  };
}

/** The lines of a `kb.toml` that turn the one into the other; nothing for what stays. */
export function tomlOf(chosen: FusionSettings, current: FusionSettings): string {
  const lines = TUNED_KEYS.filter((key) => chosen[key] !== current[key]).map(
    (key) => `${key} = ${chosen[key]}`,
  );
  return ["[search.fusion]", ...lines].join("\n");
}

/** Share of the dense leg in all weights. */
const DENSE_SHARES = [0.3, 0.4, 0.5, 0.6, 0.7];
/** Share of the phrases leg in the lexical weights. */
const PHRASES_SHARES = [0, 0.1, 0.2, 0.35, 0.5];
const HEADING_FACTORS = [0.5, 2, 4];
const MAX_WEIGHT = 1_000_000;
const DAMPINGS = [10, 30, 60, 120];

/** As a person would write it. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
