/**
 * The paths of a folder's documents, to be asked for as links write them.
 *
 * In go all keys, out comes the document that a name without its extension, a folder or the
 * last part of a path stands for. What a link writes is taken apart in `link-targets.ts`.
 */

/** Extensions a reader need not write; of two documents that differ in nothing else, the earlier wins. */
const EXTENSIONS = ["md", "markdown", "mdx", "txt"] as const;
const EXTENSION = /\.(?:md|markdown|mdx|txt)$/i;
/** Documents that stand for their folder, the first first. */
const FOLDER_PAGES: ReadonlySet<string> = new Set(["index", "readme"]);

/** Looks up in the letter case as written or, made with `foldCase`, in any. */
export class DocumentPaths {
  readonly #fold: (text: string) => string;
  /** By path, and by path without its extension. */
  readonly #byPath = new Map<string, string>();
  readonly #byStem = new Map<string, string>();
  /** The page that stands for a folder. */
  readonly #byFolder = new Map<string, string>();
  readonly #folders = new Set<string>();
  /** By the last component without its extension; in the order of the paths. */
  readonly #byName = new Map<string, string[]>();

  /** @param paths Keys of documents; earlier ones win where the letter case alone differs. */
  constructor(paths: Iterable<string>, fold: (text: string) => string = (text) => text) {
    this.#fold = fold;
    for (const path of paths) this.#add(path);
  }

  /** The document at a place: its path, its path without extension, or its folder; undefined if there is none. */
  find(place: string): string | undefined {
    const key = this.#fold(place);
    return this.#byPath.get(key) ?? this.#byStem.get(key) ?? this.#byFolder.get(key);
  }

  /** Whether any document lies below that place. */
  hasFolder(place: string): boolean {
    return place === "" || this.#folders.has(this.#fold(place));
  }

  /** Documents whose path, with or without extension, ends in these whole components; in the order of the paths. */
  listByEnd(end: string): readonly string[] {
    const key = this.#fold(end);
    const stem = stemOf(key);
    const name = stem.slice(stem.lastIndexOf("/") + 1);
    const exact = key.slice(key.lastIndexOf("/") + 1);
    const named = [...(this.#byName.get(exact) ?? [])];
    for (const path of name === exact ? [] : (this.#byName.get(name) ?? []))
      if (endsInComponents(this.#fold(path), key)) named.push(path);
    return named.filter((path) => {
      const folded = this.#fold(path);
      return endsInComponents(folded, key) || endsInComponents(stemOf(folded), key);
    });
  }

  #add(path: string): void {
    const key = this.#fold(path);
    const stem = stemOf(key);
    const slash = stem.lastIndexOf("/");
    const name = stem.slice(slash + 1);
    const folder = slash === -1 ? "" : stem.slice(0, slash);
    if (!this.#byPath.has(key)) this.#byPath.set(key, path);
    setPreferred(this.#byStem, stem, path, extensionRank);
    if (FOLDER_PAGES.has(name.toLowerCase())) setPreferred(this.#byFolder, folder, path, pageRank);
    const namesakes = this.#byName.get(name);
    if (namesakes === undefined) this.#byName.set(name, [path]);
    else namesakes.push(path);
    for (let end = folder; end !== "" && !this.#folders.has(end); end = parentOf(end)) this.#folders.add(end);
  }
}

/** Whether a name ends in an extension that documents have. */
export function hasDocumentExtension(path: string): boolean {
  return EXTENSION.test(path);
}

/** The folder a path lies in; empty for the root. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

/** The path without the extension of a document. */
export function stemOf(path: string): string {
  return path.replace(EXTENSION, "");
}

function setPreferred(
  map: Map<string, string>,
  key: string,
  path: string,
  rankOf: (path: string) => number,
): void {
  const known = map.get(key);
  if (known === undefined || rankOf(path) < rankOf(known)) map.set(key, path);
}

function extensionRank(path: string): number {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const rank = (EXTENSIONS as readonly string[]).indexOf(extension);
  return rank === -1 ? EXTENSIONS.length : rank;
}

function pageRank(path: string): number {
  const name = stemOf(path.slice(path.lastIndexOf("/") + 1)).toLowerCase();
  return [...FOLDER_PAGES].indexOf(name) * (EXTENSIONS.length + 1) + extensionRank(path);
}

function endsInComponents(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}
