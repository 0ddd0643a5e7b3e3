/**
 * Settings of what becomes of a ranking, and of what is indexed with a passage.
 *
 * `schema.ts` puts them together with the others and checks them against each other.
 */
import { z } from "zod";
import { setting } from "./setting.ts";

/** What an answer may be grouped by. */
export const GROUPINGS = ["document", "none"] as const;

export const contextualSettings = z.strictObject({
  enabled: setting(z.boolean().default(true), {
    sentence:
      "Whether each chunk is embedded and indexed together with its title and heading path; after a change the next kb index makes chunks and vectors anew.",
    unit: "switch",
    range: "true, false",
  }),
});

export const mmrSettings = z.strictObject({
  enabled: setting(z.boolean().default(false), {
    sentence:
      "Whether hits are chosen for variety as well (maximal marginal relevance): what is like a hit above it waits.",
    unit: "switch",
    range: "true, false",
  }),
  lambda: setting(z.number().min(0).max(1).default(0.7), {
    sentence: "Weight of relevance against novelty; 1 is the plain ranking.",
    unit: "share",
    range: "0 to 1",
  }),
  same_doc_penalty: setting(z.number().min(0).max(1).default(0), {
    sentence:
      "Taken off a passage whose document has a hit already; without effect where hits are grouped by document.",
    unit: "score",
    range: "0 to 1",
  }),
});

export const parentSettings = z.strictObject({
  enabled: setting(z.boolean().default(false), {
    sentence: "Whether hits are shown with their surroundings: the rest of the section, then its siblings.",
    unit: "switch",
    range: "true, false",
  }),
  whole_doc_threshold_tokens: setting(z.int().min(0).max(8191).default(100), {
    sentence: "A passage of fewer tokens is shown with its whole document, if that is within the budget.",
    unit: "model tokens",
    range: "0 to 8191",
  }),
  max_expanded_tokens: setting(z.int().min(1).max(8192).default(2000), {
    sentence: "Most tokens of one widened hit; above whole_doc_threshold_tokens.",
    unit: "model tokens",
    range: "1 to 8192",
  }),
});
