/**
 * A whole YAML text as plain values, and the line each of them stands on.
 *
 * In goes text from anybody, out come values and problems; nothing here throws for a text.
 * Aliases are refused, so that nothing multiplies, and duplicate keys too. What the values
 * must be is checked in `config/`; front matter, which is read tolerantly, is `yaml-fields.ts`.
 */
import {
  type Document,
  isAlias,
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
  const deep = findTooDeep(text);
  if (deep !== undefined) return { value: undefined, problems: [deep], lineOf: () => deep.line };
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

/** Looks at the tokens only: brackets that are open, and dashes, colons and question marks before the first value of a line. */
function findTooDeep(text: string): YamlProblem | undefined {
  let line = 1;
  let brackets = 0;
  let marks = 0;
  for (const token of new Lexer().lex(text)) {
    const first = token[0]!;
    if (token.length === 1 && (first === "[" || first === "{")) brackets++;
    else if (token.length === 1 && (first === "]" || first === "}")) brackets--;
    else if (brackets === 0 && token.length === 1 && (first === "-" || first === ":" || first === "?"))
      marks++;
    else if (first === " " && token.length > MAX_DEPTH * SPACES_PER_LEVEL)
      marks = Math.max(marks, token.length);
    if (brackets > MAX_DEPTH || marks > MAX_DEPTH)
      return { line, sentence: `nested deeper than ${MAX_DEPTH} levels` };
    const feeds = token.includes("\n") ? token.split("\n").length - 1 : 0;
    line += feeds;
    if (feeds > 0) marks = 0;
  }
  return undefined;
}

const SPACES_PER_LEVEL = 8;

interface RefusedPart {
  readonly offset: number;
  readonly sentence: string;
}

function refusedParts(document: Document): RefusedPart[] {
  const refused: RefusedPart[] = [];
  visit(document, (_, node) => {
    if (isAlias(node))
      refused.push({ offset: node.range?.[0] ?? 0, sentence: `aliases are not read here: *${node.source}` });
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
