/**
 * What the links of documents lead to, given the paths of all documents.
 *
 * In go a document and a link as written, out comes the document it leads to, or why it leads to none.
 * A reader's rules: relative to the document, to the folder or to a site above the document;
 * the extension may be missing; notes are named. Letter case counts unless nothing else fits. Whether another file
 * is there is not known here, and headings are not looked for.
 */
import { compareCodePoints } from "./code-point-order.ts";
import { DocumentPaths, hasDocumentExtension, parentOf, stemOf } from "./document-paths.ts";
import type { DocumentLink } from "./link.ts";

export type LinkTarget =
  | {
      readonly kind: "document";
      readonly path: string;
      /** Other documents that the name fits as well, nearest first. */
      readonly others: readonly string[];
    }
  /** A folder without a page of its own. */
  | { readonly kind: "folder" }
  /** Something that is no document by its name; not checked. */
  | { readonly kind: "file" }
  /** Above the indexed folder; not checked. */
  | { readonly kind: "outside" }
  | { readonly kind: "broken" };

/** Answers about one state of the folder; answers are remembered, since sites repeat their links. */
export class LinkResolver {
  readonly #paths: readonly string[];
  readonly #exact: DocumentPaths;
  #anyCase: DocumentPaths | undefined;
  readonly #known = new Map<string, LinkTarget>();

  /** @param paths Keys of all documents, by code points. */
  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.#exact = new DocumentPaths(paths);
  }

  /** @param from Key of the document that has the link; it may itself be what the link leads to. */
  resolve(from: string, { kind, target }: Pick<DocumentLink, "kind" | "target">): LinkTarget {
    // What is absolute or a bare name means the same in all documents of a folder.
    const isShared = kind === "wiki" ? /^[^.#^|\\\s]/.test(target) : target.startsWith("/");
    const key = `${kind} ${isShared ? parentOf(from) : from}\n${target}`;
    let answer = this.#known.get(key);
    if (answer === undefined) {
      answer = kind === "wiki" ? this.#resolveNote(from, target) : this.#resolveAddress(from, target);
      this.#known.set(key, answer);
    }
    return answer;
  }

  #resolveAddress(from: string, target: string): LinkTarget {
    const end = target.search(/[?#]/);
    const bare = end === -1 ? target : target.slice(0, end);
    if (bare === "") return { kind: "document", path: from, others: [] };
    const address = unescapePercent(bare).normalize("NFC");
    return this.#resolvePath(from, address);
  }

  #resolvePath(from: string, address: string): LinkTarget {
    // Nearly all links lead to the first place; the others are not even made up for them.
    const [first] = placesOf(from, address, 1);
    const path = first === undefined ? undefined : findPage(this.#exact, first);
    if (path !== undefined) return { kind: "document", path, others: [] };
    const places = placesOf(from, address);
    return this.#atPlaces(places) ?? this.#elsewhere(places, address);
  }

  #resolveNote(from: string, target: string): LinkTarget {
    const name = target
      .replace(/\\?\|.*$/su, "")
      .replace(/[#^].*$/su, "")
      .trim()
      .normalize("NFC");
    if (name === "") return { kind: "document", path: from, others: [] };
    if (/^\.{0,2}\//.test(name)) return this.#resolvePath(from, name);
    for (const paths of [this.#exact, this.#inAnyCase()]) {
      const [path, ...others] = byNearness(from, paths.listByEnd(name));
      if (path !== undefined) return { kind: "document", path, others };
    }
    return this.#elsewhere([normalizePlace(name)], name);
  }

  #atPlaces(places: readonly (string | undefined)[]): LinkTarget | undefined {
    for (const paths of [this.#exact, this.#inAnyCase()])
      for (const place of places) {
        const path = place === undefined ? undefined : findPage(paths, place);
        if (path !== undefined) return { kind: "document", path, others: [] };
      }
    return undefined;
  }

  #elsewhere(places: readonly (string | undefined)[], written: string): LinkTarget {
    if (places.some((place) => place !== undefined && this.#exact.hasFolder(place)))
      return { kind: "folder" };
    if (places[0] === undefined) return { kind: "outside" };
    return { kind: FILE_EXTENSION.test(written) && !isPage(written) ? "file" : "broken" };
  }

  #inAnyCase(): DocumentPaths {
    this.#anyCase ??= new DocumentPaths(this.#paths, (text) => text.toLowerCase());
    return this.#anyCase;
  }
}

/** `.png`, `.tar.gz`, `.rs`; a version number such as `1.2` is none. */
const FILE_EXTENSION = /\.[a-z][a-z0-9]{0,9}$/i;
const HTML = /\.html?$/i;

/** Whether a name promises a document: by its extension, or as the page that is made from one. */
function isPage(name: string): boolean {
  return hasDocumentExtension(name) || HTML.test(name);
}

function findPage(paths: DocumentPaths, place: string): string | undefined {
  const page = paths.find(place);
  if (page !== undefined || !HTML.test(place)) return page;
  // Books link to the pages that are made from their sources.
  const source = place.replace(HTML, "");
  return paths.find(source.replace(/(^|\/)index$/i, ""));
}

/**
 * Where an address may lead, the likeliest first; undefined stands for a place above the root.
 *
 * An absolute one counts from the root of the folder, else from any folder above the document, the outermost first: the
 * root of the site is not known. A relative one counts from the document's folder, else from the document
 * as if it were a folder, which it is on sites without extensions.
 *
 * @param most How many are wanted; of those after the first all are given or none.
 */
function placesOf(from: string, address: string, most = Number.POSITIVE_INFINITY): (string | undefined)[] {
  const folder = parentOf(from);
  const bases = address.startsWith("/") ? [""] : [folder];
  if (most > 1 && !address.startsWith("/")) bases.push(hasDocumentExtension(from) ? stemOf(from) : from);
  else if (most > 1) {
    const above: string[] = [];
    for (let base = folder; base !== ""; base = parentOf(base)) above.unshift(base);
    bases.push(...above);
  }
  const bare = address.replace(/^\/+/, "");
  return bases.map((base) => normalizePlace(below(base, bare)));
}

function below(folder: string, address: string): string {
  return folder === "" ? address : `${folder}/${address}`;
}

/** Without `.`, `..`, repeated and final slashes; undefined if it leads above the root. */
function normalizePlace(place: string): string | undefined {
  const parts: string[] = [];
  for (const part of place.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** Fewest steps away first, up and down the folders; then by code points. */
function byNearness(from: string, paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths;
  const stepsTo = (path: string) => {
    const [own, other] = [from.split("/"), path.split("/")];
    let common = 0;
    while (common < Math.min(own.length, other.length) - 1 && own[common] === other[common]) common++;
    return own.length + other.length - 2 * common;
  };
  return paths.toSorted((a, b) => stepsTo(a) - stepsTo(b) || compareCodePoints(a, b));
}

/** As written where an escape is none. */
function unescapePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone percent sign is part of a name.
    return text;
  }
}
