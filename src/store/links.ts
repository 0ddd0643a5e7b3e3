/**
 * The links of documents as remembered: what is written, not where it leads.
 *
 * Written together with their document (`documents.ts`). Where a link leads is found out when it
 * is asked for (`core/link-targets.ts`), because that depends on all other documents.
 */
import type { DocumentId } from "../core/document.ts";
import { type DocumentLink, type DocumentLinks, NO_LINKS } from "../core/link.ts";
import { AppError } from "../errors.ts";
import type { IndexDatabase } from "./open.ts";

export interface LinkingDocument extends DocumentLinks {
  readonly path: string;
}

/** Stores links in place of all that the document has; runs in the caller's transaction. */
export function replaceLinks(
  db: IndexDatabase,
  documentId: DocumentId,
  { links, external }: DocumentLinks = NO_LINKS,
): void {
  deleteLinks(db, documentId);
  if (links.length === 0 && external === 0) return;
  db.run(INSERT, documentId, external, JSON.stringify(links.map(rowOf)));
}

/** Removes the links of a document; runs in the caller's transaction. */
export function deleteLinks(db: IndexDatabase, documentId: DocumentId): void {
  db.run(DELETE, documentId);
}

/**
 * All documents that have links, in path order (code points).
 *
 * @throws {AppError} `corrupt` if what is stored is no list of links.
 */
export function listLinkingDocuments(db: IndexDatabase): LinkingDocument[] {
  return db.all<LinksRow>(SELECT_ALL).map(({ path, external, links }) => {
    try {
      return { path, external, links: (JSON.parse(links) as Row[]).map(linkOf) };
    } catch (cause) {
      throw new AppError("corrupt", `the links of ${path} cannot be read from the index`, {
        hint: "Rebuild the index with `kb index --force`.",
        cause,
      });
    }
  });
}

const DELETE = "DELETE FROM document_links WHERE document_id = ?1";

const INSERT = "INSERT INTO document_links (document_id, external, links) VALUES (?1, ?2, ?3)";

const SELECT_ALL = `
SELECT path, external, links
FROM document_links CROSS JOIN documents ON documents.id = document_id
ORDER BY path`;

interface LinksRow {
  readonly path: string;
  readonly external: number;
  readonly links: string;
}

/** A name of a note is a list of one, so that it is no address. */
type Row = readonly [target: string | readonly [string], ...lines: number[]];

function rowOf({ kind, target, lines }: DocumentLink): Row {
  return [kind === "wiki" ? [target] : target, ...lines];
}

function linkOf([target, ...lines]: Row): DocumentLink {
  return typeof target === "string"
    ? { kind: "markdown", target, lines }
    : { kind: "wiki", target: target[0], lines };
}
