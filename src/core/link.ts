/**
 * The words for explicit links: what a document says it points to.
 *
 * A link is kept as it is written, with its lines. What it leads to is found by `link-targets.ts`
 * from the paths there are now, so that a new file mends old links without reading anything again.
 * Links are found in `source/markdown-links.ts` and stored by `store/links.ts`.
 */

/** `markdown`: an address relative to the document or its site. `wiki`: the name of a note, `[[…]]`. */
export type LinkKind = "markdown" | "wiki";

/** One target of a document, once, however often it is linked. */
export interface DocumentLink {
  readonly kind: LinkKind;
  /** As written: with escapes, anchor or alias; for `wiki` what stands between the brackets. */
  readonly target: string;
  /** Lines of the file the links are on, ascending, without repeats; at least one. */
  readonly lines: readonly number[];
}

export interface DocumentLinks {
  /** In the order in which they first come up. */
  readonly links: readonly DocumentLink[];
  /** How many links lead to an address with a scheme; those are never followed. */
  readonly external: number;
}

export const NO_LINKS: DocumentLinks = { links: [], external: 0 };
