/**
 * What an answer says about who made it: fusion, model, runtime.
 */
import type { Config } from "../../config/schema.ts";
import type { Embedder } from "../../core/embedder.ts";
import type { SearchAnswer } from "./search-answer.ts";

/** To be asked after a search: only then is it known what ran the model. */
export function describeEngine({ identity, runtime }: Embedder, { search }: Config): SearchAnswer["engine"] {
  return {
    fusion: search.fusion.method,
    model: identity.name,
    runtime: runtime.name,
    ...(runtime.problem === undefined ? {} : { runtime_problem: runtime.problem }),
  };
}
