/**
 * The fields we know, out of a block of YAML.
 *
 * In goes the text between the markers, out come fields and warnings, or nothing if
 * it is no front matter at all. Nodes are looked at one by one and never turned into values as
 * a whole, so aliases cannot multiply. Where the block lies is found in `source/front-matter.ts`.
 */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
} from "yaml";
import { messageOf } from "../errors.ts";

export interface FrontMatterFields {
  readonly title: string | null;
  readonly category: string | null;
  readonly topic: string | null;
  /** As written; a YAML date or time as `YYYY-MM-DD`. */
  readonly date: string | null;
  readonly tags: readonly string[];
}

export interface FieldsRead {
  readonly fields: FrontMatterFields;
  readonly warnings: readonly string[];
}

export const NO_FIELDS: FrontMatterFields = {
  title: null,
  category: null,
  topic: null,
  date: null,
  tags: [],
};

/**
 * Reads `title`, `category`, `topic`, `date` and `tags`; other keys are nobody's business.
 *
 * Of a key that is there twice the last one counts. A blank block has no fields and is front matter.
 *
 * @returns Undefined if the block is neither a mapping nor, line by line, meant to be one.
 */
export function readFields(yaml: string): FieldsRead | undefined {
  if (yaml.trim() === "") return { fields: NO_FIELDS, warnings: [] };
  const parsed = parse(yaml);
  const isBroken = parsed.problem !== null;
  if (!isBroken && !isMap(parsed.document?.contents)) return undefined;
  if (isBroken && !looksLikeKeys(yaml)) return undefined;

  const collector = new FieldCollector();
  if (isBroken) {
    collector.warnings.push(`front matter: broken YAML (${parsed.problem}); read key by key`);
    for (const entry of splitAtKeys(yaml)) collector.addBroken(entry);
  } else {
    collector.addAll(parsed.document!);
  }
  return { fields: { ...NO_FIELDS, ...collector.fields }, warnings: collector.warnings };
}

const TEXT_KEYS = ["title", "category", "topic", "date"] as const;
type TextKey = (typeof TEXT_KEYS)[number];
const KNOWN_KEYS: ReadonlySet<string> = new Set([...TEXT_KEYS, "tags"]);

const KEY_LINE = /^(["']?)([\p{L}_][\p{L}\p{N}_. -]*?)\1\s*:(?:\s|$)/u;
const YAML_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt\s][\s\d:.+TtZz-]*)?$/;

type FieldDrafts = { -readonly [Key in keyof FrontMatterFields]?: FrontMatterFields[Key] };

/** Fields and warnings as they come up. */
class FieldCollector {
  readonly fields: FieldDrafts = {};
  readonly warnings: string[] = [];

  addAll(document: Document): void {
    if (!isMap(document.contents)) return;
    const seen = new Set<string>();
    for (const pair of document.contents.items as Pair<Node, Node | null>[]) {
      const key = isScalar(pair.key) ? String(pair.key.value) : "";
      if (seen.has(key)) this.warnings.push(`front matter: duplicate key \`${key}\`; the last one counts`);
      seen.add(key);
      if (KNOWN_KEYS.has(key)) this.add(key as TextKey | "tags", pair.value, document);
    }
  }

  /** One key and the lines under it, out of a block that does not parse as a whole. */
  addBroken({ key, source }: { readonly key: string; readonly source: string }): void {
    if (key in this.fields) this.warnings.push(`front matter: duplicate key \`${key}\`; the last one counts`);
    if (!KNOWN_KEYS.has(key)) return;
    const parsed = parse(source.replace(/^\t+/gm, (tabs) => "  ".repeat(tabs.length)));
    if (parsed.problem === null && parsed.document !== null) {
      this.addAll(parsed.document);
      return;
    }
    const raw = unquoted(source.slice(source.indexOf(":") + 1).split("\n")[0]!);
    this.warnings.push(`front matter: \`${key}\` is not valid YAML; taken as written`);
    if (key === "tags") this.fields.tags = splitTags(raw.replace(/^\[|\]$/g, ""));
    else this.fields[key as TextKey] = raw === "" ? null : raw;
  }

  private add(key: TextKey | "tags", value: Node | null, document: Document): void {
    const node = isAlias(value) ? value.resolve(document) : value;
    if (node === null || node === undefined || (isScalar(node) && node.value === null)) return;
    if (key === "tags") this.addTags(node, document);
    else if (isScalar(node)) this.fields[key] = textOf(node, key === "date");
    else this.warnings.push(`front matter: \`${key}\` is not a text and is ignored`);
  }

  private addTags(node: Node, document: Document): void {
    if (isScalar(node)) {
      this.fields.tags = splitTags(textOf(node, false) ?? "");
      return;
    }
    if (!isSeq(node)) {
      this.warnings.push("front matter: `tags` is neither a list nor a text and is ignored");
      return;
    }
    const tags: string[] = [];
    for (const item of node.items as (Node | null)[]) {
      const tag = isAlias(item) ? item.resolve(document) : item;
      const text = isScalar(tag) ? textOf(tag, false) : null;
      if (text !== null) tags.push(text);
      else if (tag !== null && !isScalar(tag)) {
        this.warnings.push("front matter: an item of `tags` is not a text and is ignored");
      }
    }
    this.fields.tags = [...new Set(tags)];
  }
}

interface Parsed {
  readonly document: Document | null;
  /** The first thing wrong with it, duplicate keys apart. */
  readonly problem: string | null;
}

function parse(yaml: string): Parsed {
  try {
    const document = parseDocument(yaml, { logLevel: "silent", prettyErrors: false });
    const error = document.errors.find(({ code }) => code !== "DUPLICATE_KEY");
    return { document, problem: error === undefined ? null : error.message };
  } catch (thrown) {
    // Nesting deeper than the stack is thrown, not reported.
    return { document: null, problem: messageOf(thrown) };
  }
}

/** Numbers and booleans as they are written. Null for a blank text. */
function textOf(scalar: Scalar, isDate: boolean): string | null {
  const written = typeof scalar.value === "string" ? scalar.value : (scalar.source ?? String(scalar.value));
  const text = written.replace(/\s+/gu, " ").trim();
  const date = isDate && scalar.type === Scalar.PLAIN ? YAML_DATE.exec(text) : null;
  if (date !== null) return `${date[1]}-${date[2]!.padStart(2, "0")}-${date[3]!.padStart(2, "0")}`;
  return text === "" ? null : text;
}

function splitTags(text: string): string[] {
  const tags = text.split(/[,、，]/u).map((tag) => unquoted(tag));
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^["']|["']$/g, "")
    .trim();
}

/**
 * Whether broken YAML was meant as front matter and is no prose between two rules: all lines that are
 * not indented begin with a key, or half of them do and one key is known.
 */
function looksLikeKeys(yaml: string): boolean {
  const lines = yaml.split("\n").filter((line) => line.trim() !== "" && !/^[\s#\]}]|^- /.test(line));
  const keys = lines.flatMap((line) => KEY_LINE.exec(line)?.[2] ?? []);
  if (keys.length === 0 || !KEY_LINE.test(lines[0]!)) return false;
  return (
    keys.length === lines.length ||
    (keys.length * 2 >= lines.length && keys.some((key) => KNOWN_KEYS.has(key)))
  );
}

/** The block cut before each line that begins with a key; what comes before the first is left out. */
function splitAtKeys(yaml: string): { readonly key: string; readonly source: string }[] {
  const entries: { key: string; source: string }[] = [];
  for (const line of yaml.split("\n")) {
    const key = KEY_LINE.exec(line)?.[2];
    const last = entries.at(-1);
    if (key !== undefined) entries.push({ key, source: line });
    else if (last !== undefined) last.source += `\n${line}`;
  }
  return entries;
}
