/**
 * A whole YAML text as plain values, and the line each of them stands on.
 *
 * In goes text from anybody, out come values and problems; nothing here throws for a text.
 * Anchors and aliases are refused, so that nothing multiplies, and duplicate keys too; so is what
 * would keep the parser busy for long. What the values
 * must be is checked in `config/`; front matter, which is read tolerantly, is `yaml-fields.ts`.
 */
import {
  type Document,
  isMap,
  isPair,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import { messageOf } from "../errors.ts";

export interface YamlProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly sentence: string;
}

export interface YamlTree {
  /** Undefined if there are problems. */
  readonly value: unknown;
  readonly problems: readonly YamlProblem[];
  /** The line, counted from 1, of what the keys and offsets lead to; of the deepest part of the way there is. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** Reads one document of YAML 1.2. A text without content has the value `null`. */
export function readYamlTree(text: string): YamlTree {
  const counter = new LineCounter();
  const lineAt = (offset: number) => Math.max(1, counter.linePos(offset).line);
  const unreadable = findUnreadable(text);
  if (unreadable !== undefined)
    return { value: undefined, problems: [unreadable], lineOf: () => unreadable.line };
  try {
    // The parser compares each key with all before it, which takes minutes for a megabyte of keys.
    const document = parseDocument(text, {
      lineCounter: counter,
      logLevel: "silent",
      prettyErrors: false,
      uniqueKeys: false,
    });
    const problems = [
      ...document.errors.map(({ message, pos }) => ({ line: lineAt(pos[0]), sentence: message })),
      ...refusedParts(document).map(({ offset, sentence }) => ({ line: lineAt(offset), sentence })),
    ];
    return {
      value: problems.length > 0 ? undefined : (document.toJS({ maxAliasCount: 0 }) as unknown),
      problems,
      lineOf: (path) => lineAt(offsetOf(document, path)),
    };
  } catch (thrown) {
    // Nesting deeper than the stack is thrown, not reported.
    return { value: undefined, problems: [{ line: 1, sentence: messageOf(thrown) }], lineOf: () => 1 };
  }
}

/** No file that a person writes nests this deep; the parser's time grows with the square of the depth. */
const MAX_DEPTH = 32;
/** A list of 10,000 questions with an answer each has half of it. The parser takes some microseconds for each, more where it is wrong. */
const MAX_TOKENS = 400_000;

/**
 * The first thing that would keep the parser busy for long, or is refused anyway, as far as tokens
 * tell: too many of them, brackets that are open, dashes, colons and question marks before the
 * first value of a line, brackets that close nothing, texts in quotes one after the other, names for parts.
 */
function findUnreadable(text: string): YamlProblem | undefined {
  let line = 1;
  let brackets = 0;
  let marks = 0;
  let count = 0;
  let wasQuoted = false;
  let isContent = false;
  for (const token of new Lexer().lex(text)) {
    const first = token[0]!;
    const isQuoted = !isContent && (first === '"' || first === "'");
    if (++count > MAX_TOKENS) return { line, sentence: `more than ${MAX_TOKENS} values and signs` };
    if (isContent) {
      // The text of a value, whatever it begins with.
    } else if (isQuoted && wasQuoted) return { line, sentence: "a text in quotes right after another" };
    else if (first === "&" || first === "*")
      return { line, sentence: `anchors and aliases are not read here: ${shortened(token)}` };
    else if (first === " " && token.length > MAX_DEPTH * SPACES_PER_LEVEL)
      marks = Math.max(marks, token.length);
    else if (token.length === 1) {
      if (first === "[" || first === "{") brackets++;
      else if (first === "]" || first === "}") brackets--;
      else if (brackets === 0 && (first === "-" || first === ":" || first === "?")) marks++;
    }
    if (brackets < 0) return { line, sentence: `${first} closes nothing` };
    if (brackets > MAX_DEPTH || marks > MAX_DEPTH)
      return { line, sentence: `nested deeper than ${MAX_DEPTH} levels` };
    const feeds = token.includes("\n") ? token.split("\n").length - 1 : 0;
    line += feeds;
    if (feeds > 0) marks = 0;
    wasQuoted = isQuoted || (wasQuoted && first === " ");
    isContent = token === CONTENT_FOLLOWS;
  }
  return undefined;
}

const SPACES_PER_LEVEL = 8;
/** The lexer's mark before the text of a value without quotes. */
const CONTENT_FOLLOWS = "\u001f";
const SHOWN_CHARACTERS = 40;

function shortened(token: string): string {
  return token.length > SHOWN_CHARACTERS ? `${token.slice(0, SHOWN_CHARACTERS)}…` : token;
}

interface RefusedPart {
  readonly offset: number;
  readonly sentence: string;
}

function refusedParts(document: Document): RefusedPart[] {
  const refused: RefusedPart[] = [];
  visit(document, (_, node) => {
    if (!isMap(node)) return;
    const seen = new Set<string>();
    for (const { key } of node.items) {
      const name = isScalar(key) ? String(key.value) : "";
      if (!isScalar(key))
        refused.push({ offset: node.range?.[0] ?? 0, sentence: "a key that is not a name" });
      else if (seen.has(name))
        refused.push({
          offset: key.range?.[0] ?? 0,
          sentence: `the key ${JSON.stringify(name)} is there twice`,
        });
      seen.add(name);
    }
  });
  return refused;
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let offset = 0;
  let node: unknown = document.contents;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
      continue;
    }
    node = (node as { readonly items?: readonly unknown[] } | null)?.items?.[Number(step)];
    if (node === undefined || isPair(node)) break;
    offset = startOf(node) ?? offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}
