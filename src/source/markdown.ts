/**
 * Markdown to blocks.
 *
 * In goes a body with `\n` line ends, out come its top-level blocks with their lines.
 * Only block structure is parsed: text keeps its markup, headings apart. What stands in
 * lists and quotes, headings too, belongs to the list or quote. Front matter is taken off
 * before, in `source/front-matter.ts`; grouping under headings is done in `core/sections.ts`.
 */
import MarkdownIt, { type Token } from "markdown-it";
import type { Block } from "../core/document.ts";
import type { LinkEnvironment } from "./markdown-links.ts";

/**
 * Blocks in file order. Comments that fill a whole block are left out; everything else that is not blank is in one block.
 *
 * @param firstLine Line of the file the body begins on.
 * @param visitTokens Gets what the parser made of the body, for `markdown-links.ts`.
 */
export function parseMarkdown(
  body: string,
  firstLine = 1,
  visitTokens?: (tokens: readonly Token[], environment: LinkEnvironment) => void,
): Block[] {
  const tokens: Token[] = [];
  const environment: LinkEnvironment = {};
  PARSER.block.parse(body, PARSER, environment, tokens);
  visitTokens?.(tokens, environment);
  const starts = lineStarts(body);
  const blocks: Block[] = [];
  let followsGap = false;
  const add = (block: Block) => {
    blocks.push(followsGap ? { ...block, followsGap } : block);
    followsGap = false;
  };
  for (const [at, token] of tokens.entries()) {
    if (token.level !== 0 || token.nesting < 0 || token.map === null) continue;
    const [first, after] = trimBlankLines(body, starts, token.map);
    if (first >= after) continue;
    const source = body.slice(starts[first]!, starts[after]! - 1);
    if (token.type === "html_block" && isOnlyComments(source)) {
      followsGap = blocks.length > 0;
      continue;
    }
    const lines = { start: firstLine + first, end: firstLine + after - 1 };
    if (token.type === "heading_open") {
      const text = headingText(tokens[at + 1]?.content ?? "");
      if (text !== "") {
        add({ kind: "heading", level: Number(token.tag.slice(1)), text, source, lines });
        continue;
      }
    }
    add({ kind: KIND_OF_TOKEN[token.type] ?? "other", text: source, lines });
  }
  return blocks;
}

const PARSER = new MarkdownIt({ html: true });

const KIND_OF_TOKEN: Readonly<Record<string, Block["kind"]>> = {
  paragraph_open: "paragraph",
  bullet_list_open: "list",
  ordered_list_open: "list",
  fence: "code",
  code_block: "code",
  table_open: "table",
  html_block: "html",
};

/** A longer heading is shown as written: reading its markup could take quadratic time. */
const LONGEST_HEADING_WITH_MARKUP = 1000;
const MARKUP = /[\\`*_[\]<>&!~{]/;
const CUSTOM_ID = /\s*\{#[^{}]*\}$/;

/** What a reader sees of a heading: words of links, code and emphasis, no tags, no `{#id}`. */
function headingText(content: string): string {
  const bare = content.replace(CUSTOM_ID, "");
  if (bare.length > LONGEST_HEADING_WITH_MARKUP || !MARKUP.test(bare)) return collapse(bare);
  const tokens: Token[] = [];
  PARSER.inline.parse(bare, PARSER, {}, tokens);
  const text = collapse(tokens.map(wordsOf).join(""));
  return text === "" && !bare.startsWith("<") ? collapse(bare) : text;
}

function wordsOf(token: Token): string {
  if (token.type === "softbreak" || token.type === "hardbreak") return " ";
  return token.type === "html_inline" ? "" : token.content;
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** Offset of each line's start, and one more after the end, as if the text ended in a line feed. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return starts;
}

/** A list's range reaches to the next block; the blank lines between are nobody's. */
function trimBlankLines(
  text: string,
  starts: readonly number[],
  [first, after]: readonly [number, number],
): readonly [number, number] {
  const isBlank = (line: number) => text.slice(starts[line]!, starts[line + 1]! - 1).trim() === "";
  let start = first;
  let end = Math.min(after, starts.length - 1);
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return [start, end];
}

function isOnlyComments(source: string): boolean {
  return source.includes("-->") && source.replace(/<!--[\s\S]*?-->/g, "").trim() === "";
}
