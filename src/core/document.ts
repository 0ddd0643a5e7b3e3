/**
 * The words for what is read and stored: document, block, chunk.
 *
 * A document is one source file as read; a block is one block of its structure
 * (made by `source/markdown.ts` or `source/plain-text.ts`); a chunk is the stored
 * unit: one full-text row, one vector, one span of lines of one document.
 */

export type ChunkId = number & { readonly __brand: "ChunkId" };
export type DocumentId = number & { readonly __brand: "DocumentId" };

/** Lines of the file, counted from 1, both ends included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** One block of a document's structure, in file order; headings are blocks of their own. */
export interface Block {
  readonly kind: "heading" | "paragraph" | "list" | "code" | "table" | "html" | "other";
  /** 1 to 6; present exactly when `kind` is `heading`. */
  readonly level?: number;
  /** For a heading its text without markup characters; else the source lines, joined by `\n`. */
  readonly text: string;
  /** For a heading its source lines as written, joined by `\n`; absent where `text` is that already. */
  readonly source?: string;
  /** Present if it begins inside a line, right where the block before ends. */
  readonly goesOn?: true;
  /** Present if text was left out between the block before and this one, such as a comment. */
  readonly followsGap?: true;
  readonly lines: LineRange;
}

/** What front matter and path say about a document. */
export interface DocumentMeta {
  readonly title: string;
  readonly category: string | null;
  readonly topic: string | null;
  /** As written, except that a YAML date is rendered as `YYYY-MM-DD`. */
  readonly date: string | null;
  readonly tags: readonly string[];
}

export interface Chunk {
  /** Counted from 0 in document order. */
  readonly index: number;
  /** Text of the nearest heading above; null before the first. */
  readonly heading: string | null;
  /** Level of that heading, 1 to 6; null before the first. */
  readonly level: number | null;
  /** Ancestor headings and the own one, outermost first; empty before the first. */
  readonly headingPath: readonly string[];
  /**
   * Breadcrumb `title > ancestors > heading`, at most 200 code points; embedded and indexed with the content.
   * Empty where that is switched off.
   */
  readonly context: string;
  /** The shown text: whole source lines where possible, without the heading line. */
  readonly content: string;
  /**
   * What stands in the file between the end of the chunk before and `content`, heading lines included; of the
   * first chunk, from its first heading on. U+0000 stands for a line left out there. Unknown (absent) in an index made before it was kept.
   */
  readonly lead?: string;
  /** UTF-16 units at the start of `content` that the chunk before ends with; absent with `lead`. */
  readonly repeats?: number;
  readonly lines: LineRange;
  /** Tokens of the whole embedding input: prefix, specials, context and content. */
  readonly tokenCount: number;
  /** 0 to 1. */
  readonly quality: number;
}

/** The text a chunk is embedded from; the embedder adds its own prefix. */
export function embeddingTextOf(chunk: Pick<Chunk, "context" | "content">): string {
  return chunk.context === "" ? chunk.content : `${chunk.context}\n\n${chunk.content}`;
}
