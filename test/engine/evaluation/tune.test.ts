import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { parseConfig } from "../../../src/config/load.ts";
import { evaluate } from "../../../src/engine/evaluation/evaluate.ts";
import { tune } from "../../../src/engine/evaluation/tune.ts";
import { settingsToTry } from "../../../src/engine/evaluation/tuned-settings.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

setDefaultTimeout(120_000);

const COUNT = 60;
const WORDS = ["lease", "boiler", "invoice", "garden", "meeting", "会議", "請求書", "契約"];

/** Notes that share words in text and headings, so that settings matter. */
async function notes(toml = ""): Promise<TestFolder> {
  const folder = new TestFolder();
  const word = (at: number) => WORDS[at % WORDS.length]!;
  for (let at = 0; at < COUNT; at++)
    folder.write(
      `${at}.md`,
      `# ${word(at)} ${word(at * 3 + 1)}\n\nThe ${word(at * 5 + 2)} note number ${at} tells of ${word(at + 1)}.\n\n## ${word(at * 7 + 3)}\n\nMore on ${word(at * 2)} and ${word(at + 4)}, item ${at * 17}.\n`,
    );
  const queries = Array.from({ length: 30 }, (_, at) => ({
    id: `q${at}`,
    query: at % 5 === 0 ? `"${word(at)}" ${word(at + 1)}` : `${word(at)} ${word(at * 3 + 1)} ${word(at + 2)}`,
    expected: [
      { path: `${at}.md`, grade: 2 },
      { path: `${at}.md`, heading: word(at * 7 + 3) },
    ],
    ...(at % 7 === 0 ? { filters: { path_globs: ["[1-9]*.md"], group_by: "document" } } : {}),
  }));
  const others = [
    { id: "none", query: "soup", unanswerable: true },
    { id: "open", query: "later", expected: [] },
  ];
  folder.write(".kb-eval.yml", JSON.stringify({ queries: [...queries, ...others] }));
  folder.write("kb.toml", toml);
  await indexOnce(folder.path);
  return folder;
}

async function withParts<Result>(
  folder: TestFolder,
  use: (parts: Parameters<typeof tune>[0]) => Promise<Result>,
): Promise<Result> {
  const engine = testEngine(folder.path);
  try {
    return await engine.lend(use);
  } finally {
    await engine.close();
  }
}

const tuned = (folder: TestFolder) =>
  withParts(folder, (parts) =>
    tune(parts, {
      golden: undefined,
      cwd: folder.path,
      limit: undefined,
      depths: undefined,
      onProgress() {},
    }),
  );

const evaluated = (folder: TestFolder) =>
  withParts(folder, (parts) =>
    evaluate(parts, {
      golden: undefined,
      cwd: folder.path,
      limit: undefined,
      depths: undefined,
      baseline: undefined,
      saveBaseline: undefined,
      mustCompare: false,
      onProgress() {},
    }),
  );

describe("tune", () => {
  test.each([
    ["convex", "[search.fusion]\nweight_dense = 2.0\n"],
    ["rrf", '[search.fusion]\nmethod = "rrf"\n'],
    ["a muted leg", "[search.fusion]\nweight_phrases = 0\n"],
    ["grouped hits", '[search]\ngroup_by = "document"\n'],
  ])(
    "has the figures of kb eval for the settings in use, and for its best once they are set: %s",
    async (_, toml) => {
      using folder = await notes(toml);
      const report = await tuned(folder);
      const { recall_at_k, mrr, ndcg_at_k } = (await evaluated(folder)).aggregate;
      expect(report.current.measures).toEqual(near({ recall_at_k, mrr, ndcg_at_k }));
      expect(report.toml).not.toBeNull();
      const written = [...toml.trim().split("\n"), ...report.toml!.split("\n")].filter((line) => line !== "");
      folder.write("kb.toml", mergedToml(written));
      const after = (await evaluated(folder)).aggregate;
      expect(report.best!.measures).toEqual(
        near({ recall_at_k: after.recall_at_k, mrr: after.mrr, ndcg_at_k: after.ndcg_at_k }),
      );
    },
  );

  test("changes nothing, gives the same each time, and says what does not count", async () => {
    using folder = await notes();
    const before = folder.list();
    const report = await tuned(folder);
    expect(await tuned(folder)).toEqual(report);
    expect(folder.list()).toEqual(before);
    expect(report).toMatchObject({ usable_count: 30, settings_tried: 100, method: "convex" });
    expect(report.warnings).toContain("1 queries expect nothing and do not count: open");
    expect(report.recommendation).toBe(report.reasons.length === 0 ? "adopt" : "keep");
  });

  test("chooses nothing where words find nothing to order, and says what each query found", async () => {
    using folder = await notes();
    folder.write(
      ".kb-eval.yml",
      JSON.stringify({ queries: [{ query: "zzz", expected: [{ path: "1.md" }] }] }),
    );
    const report = await tuned(folder);
    expect(report).toMatchObject({ effective_count: 0, recommendation: null, best: null, toml: null });
    expect(report.diagnostics).toEqual([
      expect.objectContaining({ id: "zzz", terms: 0, is_effective: false }),
    ]);
  });
});

describe("settingsToTry", () => {
  const fusion = parseConfig({}, "a test").search.fusion;

  test("begins with what is set, and never mutes every leg", () => {
    const settings = settingsToTry({ ...fusion, weight_terms: 3, weight_phrases: 0.7, weight_dense: 11 });
    expect(settings[0]).toMatchObject({ headingFactor: 1, fusion: { weight_terms: 3, weight_dense: 11 } });
    for (const { fusion: tried } of settings)
      expect(tried.weight_terms + tried.weight_phrases + tried.weight_dense).toBeGreaterThan(0);
  });

  test("varies the damping under rank fusion only, and heading weights only where there are any", () => {
    const dampings = (method: "rrf" | "convex") =>
      new Set(settingsToTry({ ...fusion, method }).map((tried) => tried.fusion.rrf_k)).size;
    expect([dampings("convex"), dampings("rrf")]).toEqual([1, 4]);
    const without = settingsToTry({ ...fusion, terms_headings_weight: 0, heading_weight: 0 });
    expect(new Set(without.map(({ headingFactor }) => headingFactor)).size).toBe(1);
  });

  test("stays legal for the settings at their limits", () => {
    const settings = settingsToTry({
      ...fusion,
      terms_headings_weight: 1_000_000,
      weight_terms: 0,
      weight_phrases: 0,
    });
    for (const { fusion: tried } of settings)
      expect(() => parseConfig({ search: { fusion: tried } }, "a test")).not.toThrow();
  });
});

/** The same numbers, as far as sums in another order agree. */
function near(measures: { recall_at_k: object; mrr: number; ndcg_at_k: object }) {
  const table = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([k, value]) => [k, expect.closeTo(value, 10)]));
  return {
    recall_at_k: table(measures.recall_at_k),
    mrr: expect.closeTo(measures.mrr, 10),
    ndcg_at_k: table(measures.ndcg_at_k),
  };
}

/** Lines of several tables as one file; of a key that is there twice the last counts. */
function mergedToml(lines: readonly string[]): string {
  const tables = new Map<string, Map<string, string>>();
  let table = new Map<string, string>();
  for (const line of lines) {
    if (line.startsWith("[")) {
      table = tables.get(line) ?? new Map();
      tables.set(line, table);
    } else table.set(line.split(" ")[0]!, line);
  }
  return [...tables].map(([name, keys]) => [name, ...keys.values()].join("\n")).join("\n");
}
