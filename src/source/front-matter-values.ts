/**
 * What front matter says, as it is written, for checking it.
 *
 * In goes a whole text, out come the values of the known fields with their kinds and lines, and what was wrong with the
 * block. For indexing, which makes the best of what is there, it is read by `front-matter.ts`.
 */
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from "yaml";
import { type FieldValue, RULED_FIELDS, type RuledField } from "../core/front-matter-rules.ts";
import { parseFrontMatter } from "./front-matter.ts";

export interface WrittenFrontMatter {
  readonly values: ReadonlyMap<RuledField, FieldValue>;
  /** Line of the file each value's key is on, counted from 1. */
  readonly lines: ReadonlyMap<RuledField, number>;
  /** What cannot be read as meant, each one sentence. */
  readonly problems: readonly string[];
}

/** Never throws for a text; without front matter nothing is there. A key without a value is an empty text, `tags` an empty list. */
export function readWrittenFrontMatter(text: string): WrittenFrontMatter {
  const { fields, warnings, bodyOffset } = parseFrontMatter(text);
  const header = text.slice(0, bodyOffset);
  const values = new Map<RuledField, FieldValue>();
  // Of two blocks the first counts, where it says anything.
  for (const block of blocksOf(header))
    for (const [field, value] of valuesOf(block)) if (!values.has(field)) values.set(field, value);
  // Broken as a whole: then what was read key by key.
  for (const field of ["title", "category", "topic", "date"] as const) {
    const value = fields[field];
    if (value !== null && !values.has(field)) values.set(field, { kind: "text", text: value });
  }
  if (fields.tags.length > 0 && !values.has("tags")) values.set("tags", { kind: "list", items: fields.tags });
  const problems = warnings.map((warning) => warning.replace(/^front matter: /, ""));
  return { values, lines: linesOf(header), problems };
}

function blocksOf(header: string): string[] {
  return header
    .replace(/^\uFEFF/, "")
    .split(/^(?:---|\.\.\.)[ \t]*$/m)
    .filter((block) => block.trim() !== "");
}

function valuesOf(block: string): [RuledField, FieldValue][] {
  const contents = parseMapping(block);
  if (contents === undefined) return [];
  const values = new Map<RuledField, FieldValue>();
  for (const [key, node] of contents) {
    const field = RULED_FIELDS.find((name) => name === key);
    if (field !== undefined) values.set(field, fieldValueOf(field, node)); // of two keys the last counts
  }
  return [...values];
}

/** Undefined for what is no YAML or no mapping. Aliases are followed one step. */
function parseMapping(block: string): [string, Node | null][] | undefined {
  try {
    const document = parseDocument(block, { logLevel: "silent", prettyErrors: false, uniqueKeys: false });
    const { contents } = document;
    if (document.errors.length > 0 || !isMap(contents)) return undefined;
    return (contents.items as Pair<Node, Node | null>[]).map(({ key, value }) => [
      isScalar(key) ? String(key.value) : "",
      isAlias(value) ? (value.resolve(document) ?? null) : value,
    ]);
  } catch {
    // Nesting deeper than the stack is thrown; it is told as a problem by the reader for indexing.
    return undefined;
  }
}

function fieldValueOf(field: RuledField, node: Node | null): FieldValue {
  if (node === null || (isScalar(node) && node.value === null))
    return field === "tags" ? { kind: "list", items: [] } : { kind: "text", text: "" };
  if (isScalar(node)) return { kind: "text", text: textOf(node) };
  if (!isSeq(node)) return { kind: "other" };
  const items = (node.items as (Node | null)[]).map((item) => (isScalar(item) ? textOf(item) : undefined));
  const texts = items.filter((item) => item !== undefined);
  return texts.length === items.length ? { kind: "list", items: texts } : { kind: "other" };
}

/** Numbers, booleans and dates as they are written. */
function textOf(scalar: { readonly value: unknown; readonly source?: string }): string {
  const { value, source } = scalar;
  return (typeof value === "string" ? value : (source ?? String(value))).trim();
}

function linesOf(header: string): Map<RuledField, number> {
  const lines = new Map<RuledField, number>();
  for (const [offset, line] of header.split("\n").entries()) {
    const key = /^(["']?)([a-z]+)\1\s*:/.exec(line)?.[2];
    const field = RULED_FIELDS.find((name) => name === key);
    if (field !== undefined) lines.set(field, offset + 1);
  }
  return lines;
}
