/**
 * Every setting, defined once: default, unit, range, sentence, and whom it trusts.
 *
 * `kb.toml` passes this schema; the README's table and error messages are made
 * from it or checked against it. Reading the file is in `load.ts`; what an
 * untrusted file may not say is decided in `trust.ts`.
 */
import { z } from "zod";
import { contextualSettings, GROUPINGS, mmrSettings, parentSettings } from "./answer-settings.ts";
import { evalSettings } from "./eval-settings.ts";
import { httpSettings } from "./http-settings.ts";
import { bestPracticeSettings, serverSettings } from "./server-settings.ts";
import { type SettingMeta, setting } from "./setting.ts";

const EXTENSIONS = ["md", "markdown", "mdx", "txt"] as const;
const extension = z
  .string()
  .refine((name) => (EXTENSIONS as readonly string[]).includes(name.replace(/^\./, "").toLowerCase()), {
    error: ({ input }) => `there is no parser for ${JSON.stringify(input)}`,
  });
const folderName = z.string().regex(/^[^/\\]+$/, "a folder name has no slash");
const weight = z.number().min(0).max(1_000_000);

const indexSettings = z.strictObject({
  extensions: setting(
    z
      .array(extension)
      .min(1)
      .default([...EXTENSIONS]),
    {
      sentence: "File extensions to index, in any letter case; the parser is chosen by the extension.",
      unit: "list of names",
      range: EXTENSIONS.join(", "),
    },
  ),
  hidden: setting(z.boolean().default(false), {
    sentence: "Also index files and folders whose name begins with a dot.",
    unit: "switch",
    range: "true, false",
  }),
  gitignore: setting(z.boolean().default(false), {
    sentence:
      "Also leave out what .gitignore files in the folder say, at every level; a .kbignore wins over them.",
    unit: "switch",
    range: "true, false",
  }),
  exclude_dirs: setting(
    z.array(folderName).default([".obsidian", ".git", "node_modules", "target", ".vscode", ".idea"]),
    {
      sentence:
        "Folder names left out at any depth; .git, .svn, .hg, node_modules and .kb are left out whatever this says.",
      unit: "list of names",
      range: "names without a slash",
    },
  ),
  index_dir: setting(z.string().min(1).optional(), {
    sentence:
      "Where the index lies instead of .kb in the folder itself; relative to the configuration file. A file inside the indexed folder can only name a place inside that folder.",
    unit: "path",
    range: "a folder that can be written",
  }),
});

const chunkSettings = z.strictObject({
  max_tokens: setting(z.int().min(64).max(512).default(256), {
    sentence:
      "Upper size of a chunk as it is embedded, heading path included; the built-in model was measured at 256.",
    unit: "model tokens",
    range: "64 to 512",
  }),
  overlap_tokens: setting(z.int().min(0).max(128).default(32), {
    sentence: "How much of the end of a part is repeated in the next part of the same section.",
    unit: "model tokens",
    range: "0 to 128",
  }),
});

const qualitySettings = z.strictObject({
  enabled: setting(z.boolean().default(true), {
    sentence: "Leave chunks of low quality (stubs, lone placeholders) out of search results.",
    unit: "switch",
    range: "true, false",
  }),
  threshold: setting(z.number().min(0).max(1).default(0.1), {
    sentence:
      "Chunks whose quality is below this are left out. The default hides placeholders such as TODO and lists of links or images without words of their own; 0.3 would hide texts of one or two words too.",
    unit: "quality score",
    range: "0 to 1",
  }),
});

const fusionSettings = z.strictObject({
  method: setting(z.enum(["convex", "rrf"]).default("convex"), {
    sentence: "How the legs become one ranking: convex adds scaled scores, rrf adds reciprocal ranks.",
    unit: "name",
    range: "convex, rrf",
  }),
  weight_terms: setting(weight.default(0.4), {
    sentence:
      "Trust in the terms leg (words of the language, stems, pairs of characters); only its ratio to the other weights counts.",
    unit: "weight",
    range: "0 to 1000000",
  }),
  weight_phrases: setting(weight.default(0.1), {
    sentence:
      "Trust in the phrases leg (exact and partial strings); only its ratio to the other weights counts.",
    unit: "weight",
    range: "0 to 1000000",
  }),
  weight_dense: setting(weight.default(0.5), {
    sentence: "Trust in the dense leg (meaning); 0 answers from text alone.",
    unit: "weight",
    range: "0 to 1000000",
  }),
  rrf_k: setting(z.number().gt(0).max(1_000_000).default(60), {
    sentence: "Damping of rrf: higher values flatten the top of the ranking.",
    unit: "ranks",
    range: "above 0, to 1000000",
  }),
  terms_content_weight: setting(weight.default(1), {
    sentence: "Weight of a term in the text itself, in the score of the terms leg.",
    unit: "weight",
    range: "0 to 1000000",
  }),
  terms_title_weight: setting(weight.default(1), {
    sentence: "Weight of a term in the document's title, in the score of the terms leg.",
    unit: "weight",
    range: "0 to 1000000",
  }),
  terms_headings_weight: setting(weight.default(1), {
    sentence: "Weight of a term in the heading path, in the score of the terms leg.",
    unit: "weight",
    range: "0 to 1000000",
  }),
  heading_weight: setting(weight.default(2), {
    sentence: "Weight of a match in the heading, in the score of the phrases leg.",
    unit: "weight",
    range: "0 to 1000000",
  }),
  context_weight: setting(weight.default(1), {
    sentence: "Weight of a match in the title and heading path.",
    unit: "weight",
    range: "0 to 1000000",
  }),
  content_weight: setting(weight.default(1), {
    sentence: "Weight of a match in the text itself.",
    unit: "weight",
    range: "0 to 1000000",
  }),
});

const searchSettings = z.strictObject({
  limit: setting(z.int().min(0).max(1000).default(5), {
    sentence: "How many hits an answer has when the question does not say.",
    unit: "hits",
    range: "0 to 1000",
  }),
  group_by: setting(z.enum(GROUPINGS).default("none"), {
    sentence:
      "Whether an answer has one hit for each document, with the places of its other passages (document), or every passage by itself.",
    unit: "name",
    range: "document, none",
  }),
  exclusions: setting(z.boolean().default(true), {
    sentence:
      'Whether -word and -"a phrase" in a query leave passages out; a list of exclusions works always.',
    unit: "switch",
    range: "true, false",
  }),
  span_scripts: setting(z.enum(["all", "ascii"]).default("all"), {
    sentence:
      "Terms of which scripts are marked in match_spans; ascii leaves the spans out when any term is not ASCII.",
    unit: "name",
    range: "all, ascii",
  }),
  min_confidence_ratio: setting(z.number().min(0).max(1).default(0.4), {
    sentence:
      "Answers whose confidence is below this are marked low_confidence, and still shown; higher values warn more often, 0 never.",
    unit: "confidence",
    range: "0 to 1",
  }),
  fusion: fusionSettings.prefault({}),
  mmr: mmrSettings.prefault({}),
  parent: parentSettings.prefault({}),
});

const embeddingSettings = z.strictObject({
  workers: setting(z.int().min(0).max(64).default(0), {
    sentence:
      "Threads that make vectors while indexing, about 70 MB of memory each; 0 means one a core, at most 4.",
    unit: "threads",
    range: "0 to 64",
  }),
});

const watchSettings = z.strictObject({
  enabled: setting(z.boolean().default(true), {
    sentence:
      "Whether kb serve indexes changes as they happen; without it changes are noticed at its start and by searches.",
    unit: "switch",
    range: "true, false",
  }),
  debounce_ms: setting(z.int().min(10).max(60_000).default(200), {
    sentence:
      "How long nothing must have changed before kb serve indexes; higher values join more changes into one run.",
    unit: "milliseconds",
    range: "10 to 60000",
  }),
});

export const configSchema = z
  .strictObject({
    index: indexSettings.prefault({}),
    chunk: chunkSettings.prefault({}),
    contextual: contextualSettings.prefault({}),
    quality: qualitySettings.prefault({}),
    search: searchSettings.prefault({}),
    embedding: embeddingSettings.prefault({}),
    watch: watchSettings.prefault({}),
    server: serverSettings.prefault({}),
    http: httpSettings.prefault({}),
    best_practice: bestPracticeSettings.prefault({}),
    eval: evalSettings.prefault({}),
  })
  .superRefine((config, context) => {
    const { heading_weight, context_weight, content_weight, weight_terms, weight_phrases, weight_dense } =
      config.search.fusion;
    if (heading_weight + context_weight + content_weight === 0)
      context.addIssue({
        code: "custom",
        path: ["search", "fusion", "heading_weight"],
        message: "heading_weight, context_weight and content_weight cannot all be 0",
      });
    const { terms_content_weight, terms_title_weight, terms_headings_weight } = config.search.fusion;
    if (terms_content_weight + terms_title_weight + terms_headings_weight === 0)
      context.addIssue({
        code: "custom",
        path: ["search", "fusion", "terms_content_weight"],
        message: "terms_content_weight, terms_title_weight and terms_headings_weight cannot all be 0",
      });
    if (weight_terms + weight_phrases + weight_dense === 0)
      context.addIssue({
        code: "custom",
        path: ["search", "fusion", "weight_terms"],
        message: "weight_terms, weight_phrases and weight_dense cannot all be 0",
      });
    const { whole_doc_threshold_tokens, max_expanded_tokens } = config.search.parent;
    if (max_expanded_tokens <= whole_doc_threshold_tokens)
      context.addIssue({
        code: "custom",
        path: ["search", "parent", "max_expanded_tokens"],
        message: "max_expanded_tokens must be above whole_doc_threshold_tokens",
      });
    if (config.chunk.overlap_tokens * 2 > config.chunk.max_tokens)
      context.addIssue({
        code: "custom",
        path: ["chunk", "overlap_tokens"],
        message: "overlap_tokens is at most half of max_tokens",
      });
  });

/** What the program runs on: every key present, every value legal. */
export type Config = z.output<typeof configSchema>;

export interface SettingDefinition extends SettingMeta {
  /** Table and key as in the file, such as `search.fusion.method`. */
  readonly key: string;
  /** Default as TOML would write it; "none" where absence is the default. */
  readonly defaultText: string;
}

/** All settings in file order, for the README's table, `kb.toml` templates and nearest-name hints. */
export function listSettings(): SettingDefinition[] {
  return definitionsBelow(configSchema, []);
}

function definitionsBelow(type: z.ZodType, path: readonly string[]): SettingDefinition[] {
  const table = unwrap(type);
  if (!(table instanceof z.ZodObject)) return [];
  return Object.entries(table.shape as Record<string, z.ZodType>).flatMap(([name, child]) => {
    const meta = child.meta() as SettingMeta | undefined;
    if (meta?.sentence === undefined) return definitionsBelow(child, [...path, name]);
    const value = child.safeParse(undefined).data;
    const defaultText = value === undefined ? "none" : tomlText(value);
    return [{ key: [...path, name].join("."), ...meta, defaultText }];
  });
}

function unwrap(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodPrefault ? unwrap(type.def.innerType as z.ZodType) : type;
}

function tomlText(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(tomlText).join(", ")}]` : JSON.stringify(value);
}
