/**
 * Settings of measuring: `kb eval`.
 *
 * `schema.ts` puts them together with the others.
 */
import { z } from "zod";
import { setting } from "./setting.ts";

export const evalSettings = z.strictObject({
  golden: setting(z.string().min(1).optional(), {
    sentence:
      "The golden file of kb eval, instead of .kb-eval.yml in the folder of documents; relative to the configuration file. A file inside the indexed folder can only name one inside that folder.",
    unit: "path",
    range: "a YAML file",
  }),
  k: setting(z.array(z.int().min(1).max(1000)).min(1).max(20).default([1, 5, 10]), {
    sentence: "Depths at which kb eval counts what was found, when --k does not say.",
    unit: "list of ranks",
    range: "1 to 1000",
  }),
  history_size: setting(z.int().min(1).max(1000).default(50), {
    sentence: "How many runs of kb eval are remembered; the oldest go first, saved baselines never.",
    unit: "runs",
    range: "1 to 1000",
  }),
  regression_threshold: setting(z.number().min(0).max(1).default(0.05), {
    sentence: "A measure that falls by more than this is a regression.",
    unit: "difference",
    range: "0 to 1",
  }),
});
