/**
 * Maximal marginal relevance (Carbonell and Goldstein 1998): candidates in, a varied choice of them out.
 *
 * What is relevant but says what was said already waits. Relevance comes on a fixed scale, not one
 * stretched over the pool, so that an outlier does not make all others alike; scaling it, and
 * fetching vectors, is done by the caller.
 */

export interface MmrCandidate {
  /** 0 to 1, comparable between questions. */
  readonly relevance: number;
  /** Whatever tells documents apart. */
  readonly document: string;
  /** Undefined for a passage without one: it is like no other. */
  readonly vector: Float32Array | undefined;
}

export interface MmrOptions {
  /** Weight of relevance against novelty, 0 to 1. */
  readonly lambda: number;
  /** Taken off where the document has been chosen from already, 0 to 1. */
  readonly sameDocumentPenalty: number;
  /** How many to choose. */
  readonly limit: number;
}

/**
 * Chooses one after the other what has the largest
 * `lambda × relevance − (1 − lambda) × (largest cosine with a chosen one) − (penalty, if its document is chosen)`;
 * before the first choice the cosine counts as 0. Equals by their place in the list.
 *
 * Vectors of length 0, of different dimensions, or not finite have the cosine 0. A relevance that is
 * not a number comes last.
 *
 * @param candidates In any order; the most relevant first is fastest.
 * @returns Offsets into `candidates`, distinct, in the order of choice: `limit` of them or all.
 */
export function chooseVaried(candidates: readonly MmrCandidate[], options: MmrOptions): number[] {
  const { lambda, sameDocumentPenalty, limit } = options;
  const units = candidates.map(({ vector }) => unitOf(vector));
  const nearest = candidates.map(() => Number.NEGATIVE_INFINITY);
  const compared = candidates.map(() => 0);
  const isChosen = candidates.map(() => false);
  const documents = new Set<string>();
  const chosen: number[] = [];

  const worthOf = (at: number): number => {
    const { relevance, document } = candidates[at]!;
    const likeness = compared[at] === 0 ? 0 : nearest[at]!;
    const penalty = documents.has(document) ? sameDocumentPenalty : 0;
    const value = lambda * relevance - (1 - lambda) * likeness - penalty;
    return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
  };
  const compareWithChosen = (at: number) => {
    for (; compared[at]! < chosen.length; compared[at]!++)
      nearest[at] = Math.max(nearest[at]!, cosine(units[at], units[chosen[compared[at]!]!]));
  };

  while (chosen.length < Math.min(limit, candidates.length)) {
    let best = -1;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < candidates.length; at++) {
      if (isChosen[at]) continue;
      // A value only sinks once it was compared with anything: what is too low already needs no more comparing.
      if (compared[at]! > 0 && best !== -1 && worthOf(at) <= bestValue) continue;
      compareWithChosen(at);
      const value = worthOf(at);
      if (best !== -1 && value <= bestValue) continue;
      best = at;
      bestValue = value;
    }
    isChosen[best] = true;
    chosen.push(best);
    documents.add(candidates[best]!.document);
  }
  return chosen;
}

/** Undefined where it has no direction. */
function unitOf(vector: Float32Array | undefined): Float32Array | undefined {
  if (vector === undefined) return undefined;
  const length = Math.sqrt(vector.reduce((sum, component) => sum + component * component, 0));
  return length > 0 && Number.isFinite(length) ? vector.map((component) => component / length) : undefined;
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length) return 0;
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}
