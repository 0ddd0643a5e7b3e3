/**
 * All links of a folder with what they lead to, both ways.
 *
 * In goes an open index, out come the links between documents, the broken ones, and how many lead elsewhere.
 * Each link is resolved when it is first asked for; only asking who links to a document resolves them all.
 */
import type { GraphLink } from "../../core/graph-source.ts";
import { LinkResolver, type LinkTarget } from "../../core/link-targets.ts";
import { type LinkingDocument, listLinkingDocuments } from "../../store/links.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { dataVersionOf } from "../../store/transaction.ts";

/** A link to a document that is not there. */
export interface BrokenLink {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** As written; what stands between the brackets of a wiki link. */
  readonly target: string;
}

export interface LinkCounts {
  /** Documents that are linked to, once each. */
  readonly links_to: number;
  /** Documents that link here. */
  readonly linked_from: number;
  /** Links that lead to no document, on how many lines they are. */
  readonly broken: number;
  /** Addresses with a scheme, which are not checked. */
  readonly external: number;
  /** Other files, folders, and what lies outside; not checked. */
  readonly unchecked: number;
}

/** Keeps the map of an index until somebody has written: resolving all links takes longer than the rest of a graph. */
export class LinkMaps {
  #known: { readonly db: IndexDatabase; readonly version: number; readonly map: LinkMap } | undefined;

  /** @param listPaths Of all documents, by code points. */
  get(db: IndexDatabase, listPaths: () => readonly string[]): LinkMap {
    const version = dataVersionOf(db);
    if (this.#known?.db !== db || this.#known.version !== version)
      this.#known = { db, version, map: new LinkMap(db, listPaths()) };
    return this.#known.map;
  }
}

export class LinkMap {
  readonly #documents: ReadonlyMap<string, LinkingDocument>;
  readonly #resolver: LinkResolver;
  readonly #outgoing = new Map<string, readonly GraphLink[]>();
  #incoming: Map<string, GraphLink[]> | undefined;

  /** @param paths Of all documents, by code points. */
  constructor(db: IndexDatabase, paths: readonly string[]) {
    this.#documents = new Map(listLinkingDocuments(db).map((document) => [document.path, document]));
    this.#resolver = new LinkResolver(paths);
  }

  /** Documents that one links to, once each, in the order of its text; never itself. */
  listLinksOf(path: string): readonly GraphLink[] {
    const known = this.#outgoing.get(path);
    if (known !== undefined) return known;
    const links = new Map<string, GraphLink>();
    for (const { link, target } of this.#resolved(path))
      if (target.kind === "document" && target.path !== path && !links.has(target.path))
        links.set(target.path, {
          path: target.path,
          line: link.lines[0]!,
          target: link.target,
          others: target.others,
        });
    const listed = [...links.values()];
    this.#outgoing.set(path, listed);
    return listed;
  }

  /** Documents that link to one, once each, in path order; never itself. */
  listLinksTo(path: string): readonly GraphLink[] {
    if (this.#incoming === undefined) {
      this.#incoming = new Map();
      for (const from of this.#documents.keys())
        for (const { path: to, ...link } of this.listLinksOf(from)) {
          const known = this.#incoming.get(to);
          if (known === undefined) this.#incoming.set(to, [{ path: from, ...link }]);
          else known.push({ path: from, ...link });
        }
    }
    return this.#incoming.get(path) ?? [];
  }

  /** Of one document, by line; or of all, by path and then line. Once for each line. */
  listBroken(path?: string): BrokenLink[] {
    if (path === undefined) return [...this.#documents.keys()].flatMap((from) => this.listBroken(from));
    return this.#resolved(path)
      .filter(({ target }) => target.kind === "broken")
      .flatMap(({ link }) => link.lines.map((line) => ({ path, line, target: link.target })))
      .sort((a, b) => a.line - b.line);
  }

  countLinks(path: string): LinkCounts {
    const unchecked = this.#resolved(path).filter(
      ({ target: { kind } }) => kind !== "document" && kind !== "broken",
    );
    return {
      links_to: this.listLinksOf(path).length,
      linked_from: this.listLinksTo(path).length,
      broken: this.listBroken(path).length,
      external: this.#documents.get(path)?.external ?? 0,
      unchecked: unchecked.length,
    };
  }

  /** How many links the folder has, each target of a document once, and how many lead to an address with a scheme. */
  countAll(): { readonly links: number; readonly external: number } {
    let [links, external] = [0, 0];
    for (const document of this.#documents.values()) {
      links += document.links.length;
      external += document.external;
    }
    return { links, external };
  }

  #resolved(
    path: string,
  ): { readonly link: LinkingDocument["links"][number]; readonly target: LinkTarget }[] {
    const links = this.#documents.get(path)?.links ?? [];
    return links.map((link) => ({ link, target: this.#resolver.resolve(path, link) }));
  }
}
