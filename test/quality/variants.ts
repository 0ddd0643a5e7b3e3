/**
 * Settings worth comparing on the judged set: each leg alone, rank fusion, and the defaults.
 */
import type { Settings } from "./judged-index.ts";

const fusion = (settings: object): Settings => ({ search: { fusion: settings } });
const convex = (terms: number, phrases: number, dense: number) =>
  fusion({ weight_terms: terms, weight_phrases: phrases, weight_dense: dense });

/** By name; the first is what a user gets. */
export const VARIANTS: Readonly<Record<string, Settings>> = {
  defaults: {},
  "terms alone": convex(1, 0, 0),
  "phrases alone": convex(0, 1, 0),
  "dense alone": convex(0, 0, 1),
  "lexical legs": convex(0.6, 0.4, 0),
  "rrf phrases + dense": fusion({ method: "rrf", weight_terms: 0, weight_phrases: 1, weight_dense: 1 }),
  "rrf all": fusion({ method: "rrf", weight_terms: 1, weight_phrases: 1, weight_dense: 1 }),
  "convex phrases + dense .5 .5": convex(0, 0.5, 0.5),
  "convex terms + dense .5 .5": convex(0.5, 0, 0.5),
  "convex .3 .2 .5": convex(0.3, 0.2, 0.5),
  "convex .4 .2 .4": convex(0.4, 0.2, 0.4),
  "convex .5 .15 .5": convex(0.5, 0.15, 0.5),
  "convex .2 .2 .6": convex(0.2, 0.2, 0.6),
  "one hit a document": { search: { group_by: "document" } },
  varied: { search: { mmr: { enabled: true } } },
  widened: { search: { parent: { enabled: true } } },
};
