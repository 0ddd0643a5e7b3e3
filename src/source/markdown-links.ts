/**
 * Explicit links of a Markdown text: what its author points to.
 *
 * In go the tokens of its blocks as the parser made them, out come the targets as written, with
 * lines. Nothing in code, comments or math is a link, and images are none. What a target
 * leads to is found in `core/link-targets.ts`.
 */
import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import type { DocumentLink, DocumentLinks, LinkKind } from "../core/link.ts";

/** What the parser of blocks leaves for that of links: `[name]: target` definitions. */
export type LinkEnvironment = Record<string, unknown>;

/**
 * Links in the order of the text: inline, by reference, `<a href>`, and wiki links and embeds. Of a paragraph of more than
 * 20,000 characters only what stands in the first 20,000 is looked at, since its markup could take quadratic time.
 *
 * @param tokens Of block level, in order.
 * @param firstLine Line of the file the tokens' lines count from.
 */
export function listLinks(
  tokens: readonly Token[],
  environment: LinkEnvironment,
  firstLine: number,
): DocumentLinks {
  const collector = new LinkCollector();
  let line = 0;
  for (const token of tokens) {
    if (token.map !== null) line = token.map[0];
    if (token.type === "html_block") collectAnchors(collector, token.content, firstLine + line);
    if (token.type !== "inline" || !/\[|<[a-z]/i.test(token.content)) continue;
    collectInline(collector, token.content.slice(0, LONGEST_INLINE), environment, firstLine + line);
  }
  return collector.result();
}

/** In UTF-16 units. */
const LONGEST_INLINE = 20_000;
/** A longer target, in UTF-16 units, is no name of a file. */
const LONGEST_TARGET = 1024;
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const ANCHOR = /<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const COMMENTS = /<!--[\s\S]*?(?:-->|$)/g;

class LinkCollector {
  readonly #links = new Map<string, { kind: LinkKind; target: string; lines: number[] }>();
  #external = 0;

  add(kind: LinkKind, target: string, line: number): void {
    if (kind === "markdown" && SCHEME.test(target)) {
      this.#external++;
      return;
    }
    // A link within the document itself leads nowhere else.
    if (target === "" || target.startsWith("#") || target.length > LONGEST_TARGET) return;
    const key = `${kind} ${target}`;
    const known = this.#links.get(key);
    if (known === undefined) this.#links.set(key, { kind, target, lines: [line] });
    else if (known.lines.at(-1) !== line) known.lines.push(line);
  }

  result(): DocumentLinks {
    const links: DocumentLink[] = [...this.#links.values()];
    return { links, external: this.#external };
  }
}

/** Knows links and what may hide them, and nothing else of the text. */
const PARSER = makeParser();

function makeParser() {
  const parser = new MarkdownIt({ html: true });
  // Addresses stay as written: what they mean is decided where they are resolved.
  parser.normalizeLink = (url) => url;
  parser.validateLink = () => true;
  const { ruler } = parser.inline;
  ruler.before("link", "wiki_link", readWikiLink);
  ruler.before("text", "expression_comment", skipExpressionComment);
  ruler.enableOnly([
    "text",
    "newline",
    "escape",
    "backticks",
    "wiki_link",
    "expression_comment",
    "link",
    "image",
    "autolink",
    "html_inline",
  ]);
  parser.inline.ruler2.enableOnly([]);
  const link = ruler.getRules("").find((rule) => rule.name === "link");
  if (link !== undefined)
    ruler.at("link", (state, silent) => {
      const [start, count] = [state.pos, state.tokens.length];
      const isLink = link(state, silent);
      if (!isLink || silent) return isLink;
      // Text that came before may have become a token first.
      // A label is told there already for references, and a place for a link inside the text of this one.
      for (const token of [state.tokens[count], state.tokens[count + 1]])
        if (token?.type === "link_open" && token.meta?.at === undefined)
          token.meta = { ...token.meta, at: start };
      return isLink;
    });
  return parser;
}

function collectInline(
  collector: LinkCollector,
  content: string,
  environment: LinkEnvironment,
  firstLine: number,
): void {
  const tokens: Token[] = [];
  PARSER.inline.parse(content, PARSER, environment, tokens);
  let line = firstLine;
  let seen = 0;
  const lineAt = (at: number) => {
    for (; seen < at; seen++) if (content.charCodeAt(seen) === LINE_FEED) line++;
    return line;
  };
  for (const token of tokens) {
    const at = (token.meta as { at?: number } | null)?.at ?? seen;
    if (token.type === "link_open")
      collector.add("markdown", String(token.attrGet("href") ?? ""), lineAt(at));
    else if (token.type === "wiki_link") collector.add("wiki", token.content, lineAt(at));
    else if (token.type === "html_inline") collectAnchors(collector, token.content, lineAt(at));
  }
}

const LINE_FEED = 10;

function collectAnchors(collector: LinkCollector, html: string, firstLine: number): void {
  if (!/<a\s/i.test(html)) return;
  const bare = html.replace(COMMENTS, (comment) => comment.replace(/[^\n]/g, " "));
  let line = firstLine;
  let seen = 0;
  for (const match of bare.matchAll(ANCHOR)) {
    for (; seen < match.index; seen++) if (bare.charCodeAt(seen) === LINE_FEED) line++;
    collector.add("markdown", (match[1] ?? match[2] ?? "").replaceAll("&amp;", "&").trim(), line);
  }
}

const WIKI_LINK = /!?\[\[([^[\]\n]+)\]\]/y;

/** `[[Note]]`, `[[Note#Heading|alias]]` and `![[embed]]`, unless Markdown has a link there. */
function readWikiLink(state: StateInline, silent: boolean): boolean {
  const first = state.src.charCodeAt(state.pos);
  if (first !== OPEN_BRACKET && first !== EXCLAMATION) return false;
  WIKI_LINK.lastIndex = state.pos;
  const match = WIKI_LINK.exec(state.src);
  if (match === null || match[1] === undefined || match[1] !== match[1].trim()) return false;
  const next = state.src[WIKI_LINK.lastIndex];
  if (next === "(" || next === "[") return false;
  const { references = {} } = state.env as { references?: Record<string, unknown> };
  if (Object.hasOwn(references, state.md.utils.normalizeReference(match[1]))) return false;
  if (!silent) {
    const token = state.push("wiki_link", "", 0);
    token.content = match[1];
    token.meta = { at: state.pos };
  }
  state.pos += match[0].length;
  return true;
}

const OPEN_BRACKET = 0x5b;
const EXCLAMATION = 0x21;
const BRACE = 0x7b;

/** The comments of MDX. */
function skipExpressionComment(state: StateInline): boolean {
  if (state.src.charCodeAt(state.pos) !== BRACE || !state.src.startsWith("{/*", state.pos)) return false;
  const end = state.src.indexOf("*/}", state.pos + 3);
  if (end === -1) return false;
  state.pos = end + 3;
  return true;
}
