/**
 * How an answer is to look: what the request says, else what the settings say.
 *
 * Ranges are checked before, in `config/`; what the options do is in the stages that take them.
 */
import { LIMIT_MAX, type SearchRequest } from "../../config/request.ts";
import type { Config } from "../../config/schema.ts";
import type { ExpandLimits } from "../../core/expand.ts";
import type { MmrOptions } from "../../core/mmr.ts";

export interface AnswerOptions {
  /** Hits: documents where they are grouped. */
  readonly limit: number;
  readonly groupBy: Config["search"]["group_by"];
  /** Undefined where hits are not chosen for variety. */
  readonly mmr: Omit<MmrOptions, "limit"> | undefined;
  /** Undefined where hits are not widened. */
  readonly expand: ExpandLimits | undefined;
  readonly explain: boolean;
  /** Arguments of the request without effect, by name. */
  readonly ignored: readonly string[];
}

/** A limit above the most there is, is that. */
export function answerOptionsOf(request: SearchRequest, { search }: Config): AnswerOptions {
  const isVaried = request.mmr ?? search.mmr.enabled;
  const isWidened = request.parent_retriever ?? search.parent.enabled;
  return {
    limit: Math.min(request.limit ?? search.limit, LIMIT_MAX),
    groupBy: request.group_by ?? search.group_by,
    mmr: isVaried
      ? {
          lambda: request.mmr_lambda ?? search.mmr.lambda,
          sameDocumentPenalty: request.mmr_same_doc_penalty ?? search.mmr.same_doc_penalty,
        }
      : undefined,
    expand: isWidened
      ? {
          wholeDocumentBelowTokens: search.parent.whole_doc_threshold_tokens,
          maxTokens: search.parent.max_expanded_tokens,
        }
      : undefined,
    explain: request.explain ?? false,
    ignored: isVaried
      ? []
      : (["mmr_lambda", "mmr_same_doc_penalty"] as const).filter((name) => request[name] !== undefined),
  };
}
