/**
 * Setting one value in somebody else's JSON file, without touching anything else in it.
 *
 * In go a text, with comments and commas at the end as editors allow them, and the names on the way to
 * a value; out comes the text with that value, every other character as it was. Which file, and
 * when to refuse, is known to the caller.
 */
import { isDeepStrictEqual } from "node:util";

/** Why a text cannot be edited; it says so in a sentence's part, such as "it is no JSON at line 3". */
export class JsonEditError extends Error {}

/**
 * @param path Names of objects, then of the value; objects that are missing are made.
 * @throws {JsonEditError} If the text is broken, or something on the way is no object.
 */
export function setJsonValue(text: string, path: readonly string[], value: unknown): string {
  if (text.trim() === "") return `${JSON.stringify(nested(path, value), null, 2)}\n`;
  const root = parseJson(text);
  if (root.kind !== "object") throw new JsonEditError("it holds no JSON object");
  if (isDeepStrictEqual(findJsonValue(text, path), value)) return text;
  return setIn(text, root, path, value, 1);
}

/** What lies at that path; undefined if nothing does. @throws {JsonEditError} If the text is broken. */
export function findJsonValue(text: string, path: readonly string[]): unknown {
  if (text.trim() === "") return undefined;
  let node: JsonNode | undefined = parseJson(text);
  for (const name of path) {
    if (node?.kind !== "object") return undefined;
    node = node.members.findLast((member) => member.name === name)?.value;
  }
  return node === undefined ? undefined : plainValue(node);
}

interface JsonMember {
  readonly name: string;
  readonly value: JsonNode;
}

/** Offsets of the text, half-open. */
type JsonNode = { readonly start: number; readonly end: number } & (
  | { readonly kind: "object"; readonly members: readonly JsonMember[]; readonly lastEnd: number | undefined }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "plain"; readonly value: unknown }
);

function setIn(
  text: string,
  object: JsonNode & { kind: "object" },
  [name, ...rest]: readonly string[],
  value: unknown,
  depth: number,
): string {
  const indent = indentOf(text);
  const member = object.members.findLast((candidate) => candidate.name === name);
  if (member !== undefined && rest.length > 0) {
    if (member.value.kind !== "object") throw new JsonEditError(`${JSON.stringify(name)} in it is no object`);
    return setIn(text, member.value, rest, value, depth + 1);
  }
  const written = JSON.stringify(nested(rest, value), null, indent).replaceAll(
    "\n",
    `\n${indent.repeat(depth)}`,
  );
  if (member !== undefined) return text.slice(0, member.value.start) + written + text.slice(member.value.end);
  const line = `\n${indent.repeat(depth)}${JSON.stringify(name)}: ${written}`;
  if (object.lastEnd === undefined) {
    const inside = text.slice(object.start + 1, object.end - 1);
    const rest = inside.trim() === "" ? "" : inside.trimEnd();
    return `${text.slice(0, object.start + 1)}${rest}${line}\n${indent.repeat(depth - 1)}${text.slice(object.end - 1)}`;
  }
  const after = text.slice(object.lastEnd);
  const comma = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*,/.exec(after)?.[0];
  const at = object.lastEnd + (comma?.length ?? 0);
  return `${text.slice(0, at)}${comma === undefined ? "," : ""}${line}${text.slice(at)}`;
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/** As the file's first indented line has it. */
function indentOf(text: string): string {
  return /\n([ \t]+)["/]/.exec(text)?.[1] ?? "  ";
}

function plainValue(node: JsonNode): unknown {
  if (node.kind === "plain") return node.value;
  if (node.kind === "array") return node.items.map(plainValue);
  return Object.fromEntries(node.members.map(({ name, value }) => [name, plainValue(value)]));
}

const TOKEN = /"(?:[^"\\\u0000-\u001f]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/y;
const SPACE = /(?:\s|\uFEFF|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/y;
const MAX_DEPTH = 200;

function parseJson(text: string): JsonNode {
  let at = 0;
  const broken = (): never => {
    throw new JsonEditError(`it is no JSON at line ${text.slice(0, at).split("\n").length}`);
  };
  const skip = () => {
    SPACE.lastIndex = at;
    SPACE.exec(text);
    at = SPACE.lastIndex;
  };
  const next = (): string => {
    skip();
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0] ?? broken();
    at += token.length;
    return token;
  };
  const peek = (): string => {
    const before = at;
    const token = next();
    at = before;
    return token;
  };
  const plain = (token: string): unknown => {
    try {
      return JSON.parse(token);
    } catch {
      return broken();
    }
  };
  /** Calls `item` for each item up to `close`; a comma may stand before it. */
  const list = (close: string, item: () => void) => {
    while (peek() !== close) {
      item();
      if (peek() === close) break;
      if (next() !== ",") broken();
    }
    next();
  };
  const node = (depth: number): JsonNode => {
    if (depth > MAX_DEPTH) broken();
    skip();
    const start = at;
    const token = next();
    if (token === "{") {
      const members: JsonMember[] = [];
      list("}", () => {
        const name = next();
        if (!name.startsWith('"') || next() !== ":") broken();
        members.push({ name: plain(name) as string, value: node(depth + 1) });
      });
      return { kind: "object", start, end: at, members, lastEnd: members.at(-1)?.value.end };
    }
    if (token === "[") {
      const items: JsonNode[] = [];
      list("]", () => items.push(node(depth + 1)));
      return { kind: "array", start, end: at, items };
    }
    if (/^[}\],:]$/.test(token)) broken();
    return { kind: "plain", start, end: at, value: plain(token) };
  };
  const root = node(0);
  skip();
  if (at < text.length) broken();
  return root;
}
