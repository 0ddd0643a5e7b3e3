/**
 * Rules for what front matter says, and what breaks them.
 *
 * In go the values of one document and the rules of its folder, out come violations in the order of the
 * field names. Reading rules is done in `config/front-matter-schema.ts`, reading values in
 * `source/front-matter-values.ts`.
 */

/** Fields that can have rules, in their order. */
export const RULED_FIELDS = ["category", "date", "depth", "tags", "title", "topic"] as const;
export type RuledField = (typeof RULED_FIELDS)[number];

export type FieldValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  /** A mapping, or a list of other things than texts. */
  | { readonly kind: "other" };

export interface FieldRule {
  readonly required: boolean;
  /** Undefined: what the field is by itself; `tags` may then be written as a list or as a text. */
  readonly type: "string" | "array" | undefined;
  readonly pattern: FieldPattern | undefined;
  readonly enum: readonly string[] | undefined;
  /** In code points, of a list in items. */
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  /** Whether a required field may be empty. */
  readonly allowEmpty: boolean;
}

export interface FieldPattern {
  readonly source: string;
  /** Longer texts, in UTF-16 units, are not compared. */
  readonly maxLength: number;
  /** Whether it is found anywhere in the text. */
  matches(text: string): boolean;
}

export type FieldRules = ReadonlyMap<RuledField, FieldRule>;

export interface Violation {
  readonly kind:
    | "invalid_front_matter"
    | "type_mismatch"
    | "missing_required"
    | "length_out_of_range"
    | "pattern_mismatch"
    | "not_in_enum";
  /** Null for front matter that cannot be read as meant. */
  readonly field: RuledField | null;
  /** One sentence without a full stop. */
  readonly message: string;
}

/** Fields in the order of their names; for each the first that makes the others meaningless, else all. */
export function findViolations(
  values: ReadonlyMap<RuledField, FieldValue>,
  rules: FieldRules,
): readonly Violation[] {
  return RULED_FIELDS.flatMap((field) => {
    const rule = rules.get(field);
    return rule === undefined ? [] : checkField(field, values.get(field), rule);
  });
}

function checkField(field: RuledField, value: FieldValue | undefined, rule: FieldRule): Violation[] {
  const found = (kind: Violation["kind"], message: string): Violation => ({ kind, field, message });
  if (value === undefined)
    return rule.required ? [found("missing_required", `${field} is required and not there`)] : [];
  const wanted = rule.type ?? (field === "tags" ? undefined : "string");
  const isMismatch = value.kind === "other" || (wanted !== undefined && wanted !== TYPE_OF_KIND[value.kind]);
  if (isMismatch)
    return [
      found(
        "type_mismatch",
        `${field} is ${NAME_OF_KIND[value.kind]}, not ${NAME_OF_TYPE[wanted ?? "array"]}`,
      ),
    ];
  const read =
    field === "tags" && value.kind === "text" && rule.type === undefined ? splitTags(value) : value;
  const length = read.kind === "list" ? read.items.length : [...read.text].length;
  if (length === 0 && rule.required && !rule.allowEmpty)
    return [found("missing_required", `${field} is required and empty`)];
  return [
    ...checkLength(field, length, read.kind === "list" ? "items" : "characters", rule),
    ...(read.kind === "text" ? checkPattern(field, read.text, rule) : []),
    ...(read.kind === "list" ? read.items : [read.text]).flatMap((text) => checkEnum(field, text, rule)),
  ];
}

const TYPE_OF_KIND = { text: "string", list: "array" } as const;
const NAME_OF_KIND = { text: "a text", list: "a list", other: "neither a text nor a list of texts" } as const;
const NAME_OF_TYPE = { string: "a text", array: "a list" } as const;

/** As `kb` reads tags that are written as one text. */
function splitTags({ text }: { readonly text: string }): FieldValue & { kind: "list" } {
  const items = text
    .split(/[,、，]/u)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  return { kind: "list", items };
}

function checkLength(
  field: RuledField,
  length: number,
  unit: string,
  { minLength, maxLength }: FieldRule,
): Violation[] {
  const violation = (limit: string): Violation => ({
    kind: "length_out_of_range",
    field,
    message: `${field} has ${length} ${unit}, ${limit}`,
  });
  return [
    ...(minLength !== undefined && length < minLength ? [violation(`at least ${minLength} are needed`)] : []),
    ...(maxLength !== undefined && length > maxLength ? [violation(`at most ${maxLength} are allowed`)] : []),
  ];
}

function checkPattern(field: RuledField, text: string, { pattern }: FieldRule): Violation[] {
  if (pattern === undefined) return [];
  const kind = "pattern_mismatch";
  if (text.length > pattern.maxLength)
    return [
      {
        kind,
        field,
        message: `${field} has ${text.length} characters; it is not compared with a pattern beyond ${pattern.maxLength}`,
      },
    ];
  if (pattern.matches(text)) return [];
  return [{ kind, field, message: `${field} is ${quote(text)}, which does not match ${pattern.source}` }];
}

function checkEnum(field: RuledField, text: string, rule: FieldRule): Violation[] {
  if (rule.enum === undefined || rule.enum.includes(text)) return [];
  const legal = rule.enum.map((value) => JSON.stringify(value)).join(", ");
  return [{ kind: "not_in_enum", field, message: `${field} has ${quote(text)}; it may be ${legal}` }];
}

/** In code points. */
const QUOTED_LENGTH = 60;

function quote(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED_LENGTH + 2)];
  const shown = characters.length > QUOTED_LENGTH ? `${characters.slice(0, QUOTED_LENGTH).join("")}…` : text;
  return JSON.stringify(shown);
}
