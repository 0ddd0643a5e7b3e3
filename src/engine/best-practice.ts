/**
 * The document that the owner of the folder has named as the guide to something.
 *
 * In go a target and the templates of the settings, out comes the first document that a template leads
 * to, or one section of it. A template is no way to other files: only indexed documents are looked up.
 */
import type { BestPracticeRequest } from "../config/request.ts";
import { findSection, listHeadings } from "../core/find-section.ts";
import { AppError } from "../errors.ts";
import { parseDocument } from "../source/parse-document.ts";
import type { IndexDatabase } from "../store/open.ts";
import { formatCursor, linesOf, type PageSize, pageFrom } from "./document-page.ts";
import { type IndexedDocumentText, noSuchHeading, readIndexedText } from "./read-document.ts";

/** snake_case, because it goes over the wire as it is. */
export interface BestPracticeAnswer {
  readonly target: string;
  /** As asked for; present when it was. */
  readonly category?: string;
  readonly path: string;
  readonly title: string;
  /** Headings of levels 1 and 2 in the whole document, in order. */
  readonly sections: readonly string[];
  readonly content: string;
  readonly lines: { readonly start: number; readonly end: number };
  readonly truncated: boolean;
  /** For `get_document`, with `path`; present when `truncated`. */
  readonly next?: string;
}

/**
 * @param templates Paths with `{target}` in them, tried in order.
 * @throws {AppError} `missing` if there are no templates, none leads to an indexed document that can be read, or
 *   that has no such section.
 */
export function findBestPractice(
  root: string,
  db: IndexDatabase,
  { target, category }: BestPracticeRequest,
  templates: readonly string[],
  size: PageSize,
): BestPracticeAnswer {
  if (templates.length === 0)
    throw new AppError("missing", "no best practices are configured for this folder", {
      hint: "Its owner names them in kb.toml: best_practice.path_templates. Search for them instead.",
    });
  const document = firstReadable(root, db, target, templates);
  const lines = linesOf(document.text);
  const { blocks } = parseDocument(document.path, document.text);
  const section = category === undefined ? undefined : findSection(blocks, category, lines.length);
  if (category !== undefined && section === undefined)
    throw noSuchHeading(document.path, category, listHeadings(blocks, SECTION_LEVEL));
  const { start, end } = section?.lines ?? { start: 1, end: lines.length };
  const page = pageFrom(lines, { line: start, offset: 0 }, Math.min(end, lines.length), size);
  return {
    target,
    ...(category === undefined ? {} : { category }),
    path: document.path,
    title: document.meta.title,
    sections: listHeadings(blocks, SECTION_LEVEL).slice(0, MAX_SECTIONS),
    content: page.content,
    lines: page.lines,
    truncated: page.next !== undefined,
    ...(page.next === undefined ? {} : { next: formatCursor(page.next, end, document.contentHash) }),
  };
}

const SECTION_LEVEL = 2;
const MAX_SECTIONS = 100;

function firstReadable(
  root: string,
  db: IndexDatabase,
  target: string,
  templates: readonly string[],
): IndexedDocumentText {
  for (const template of templates) {
    try {
      return readIndexedText(
        root,
        db,
        template.replaceAll("{target}", () => target),
      );
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== "missing") throw thrown;
    }
  }
  throw new AppError("missing", `no best practice for ${JSON.stringify(target)}`, {
    hint: `Templates tried: ${templates.length}. Search for it instead.`,
  });
}
