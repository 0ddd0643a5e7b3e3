import { describe, expect, test } from "bun:test";
import { configSchema, listSettings } from "../../src/config/schema.ts";

describe("configSchema", () => {
  test("makes a full configuration out of nothing", () => {
    const config = configSchema.parse({});
    expect(config.search.limit).toBe(5);
    expect(config.search.fusion.method).toBe("convex");
    expect(config.chunk.max_tokens).toBe(256);
  });

  test("keeps the other defaults of a table that is given in part", () => {
    const config = configSchema.parse({ search: { fusion: { rrf_k: 10 } } });
    expect(config.search.fusion.rrf_k).toBe(10);
    expect(config.search.fusion.weight_dense).toBe(0.5);
    expect(config.search.limit).toBe(5);
  });

  const refused: [problem: string, table: unknown][] = [
    ["a limit below 0", { search: { limit: -1 } }],
    ["a limit above 1000", { search: { limit: 1001 } }],
    ["a fraction as a limit", { search: { limit: 2.5 } }],
    ["a limit in quotes", { search: { limit: "5" } }],
    ["an unknown key", { search: { limits: 5 } }],
    ["a confidence above 1", { search: { min_confidence_ratio: 1.5 } }],
    ["an unknown table", { serach: {} }],
    ["chunks too small to hold a heading path", { chunk: { max_tokens: 10 } }],
    ["more overlap than half a chunk", { chunk: { max_tokens: 64, overlap_tokens: 33 } }],
    ["an unknown fusion method", { search: { fusion: { method: "sum" } } }],
    ["a damping of 0", { search: { fusion: { rrf_k: 0 } } }],
    ["a negative weight", { search: { fusion: { weight_dense: -1 } } }],
    [
      "legs that all weigh 0",
      { search: { fusion: { weight_terms: 0, weight_phrases: 0, weight_dense: 0 } } },
    ],
    [
      "fields that all weigh 0",
      { search: { fusion: { heading_weight: 0, context_weight: 0, content_weight: 0 } } },
    ],
    ["no extension at all", { index: { extensions: [] } }],
    ["an extension that no parser reads", { index: { extensions: ["md", "pdf"] } }],
    ["a glob as an extension", { index: { extensions: ["*.md"] } }],
    ["a path as a folder name", { index: { exclude_dirs: ["a/b"] } }],
    ["a debounce of almost nothing", { watch: { debounce_ms: 9 } }],
    ["a debounce of more than a minute", { watch: { debounce_ms: 60_001 } }],
    ["a word as a switch", { watch: { enabled: "yes" } }],
    ["a lambda above 1", { search: { mmr: { lambda: 1.01 } } }],
    ["a budget that a whole document cannot have", { search: { parent: { max_expanded_tokens: 100 } } }],
    ["a budget above what a reader takes", { search: { parent: { max_expanded_tokens: 8193 } } }],
    ["a quality above 1", { quality: { threshold: 1.1 } }],
  ];
  test.each(refused)("refuses %s", (_problem, table) => {
    expect(configSchema.safeParse(table).success).toBe(false);
  });
});

describe("listSettings", () => {
  test("defines every key of the configuration, and no other", () => {
    const withoutDefault = {
      index: { index_dir: "x" },
      eval: { golden: "x" },
      server: { tools: ["search"] },
      http: { allowed_hosts: [], allowed_origins: [], token_file: "x" },
    };
    const keys = keysOf(configSchema.parse(withoutDefault));
    expect(listSettings().map((definition) => definition.key)).toEqual(keys);
  });

  test("says of each what it does, its unit, its range and its default", () => {
    for (const { key, sentence, unit, range, defaultText } of listSettings()) {
      expect(sentence, key).toMatch(/^[A-Z].*\.$/);
      expect(
        [unit, range, defaultText].filter((text) => text.trim() === ""),
        key,
      ).toEqual([]);
    }
  });

  test("writes defaults as TOML would", () => {
    const defaults = Object.fromEntries(listSettings().map(({ key, defaultText }) => [key, defaultText]));
    expect(defaults["index.extensions"]).toBe('["md", "markdown", "mdx", "txt"]');
    expect(defaults["index.hidden"]).toBe("false");
    expect(defaults["index.index_dir"]).toBe("none");
    expect(defaults["search.fusion.method"]).toBe('"convex"');
  });
});

function keysOf(table: object, path: readonly string[] = []): string[] {
  return Object.entries(table).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? keysOf(value, [...path, name])
      : [[...path, name].join(".")],
  );
}
