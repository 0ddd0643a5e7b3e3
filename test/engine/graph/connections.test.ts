import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Engine } from "../../../src/engine/engine.ts";
import { connectionLines } from "../../../src/engine/graph/connections-text.ts";
import { failureOf } from "../../support/failure-of.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

function write(folder: TestFolder) {
  folder.write(
    "notes/start.md",
    "---\ntopic: pumps\n---\n# Start\n\nThe pump is cleaned in spring.\n\nSee [the plan](../plan.md), [[Meeting]], [gone](gone.md)\nand [gone](gone.md#x) or [[Nowhere]].\n\n[out](https://example.org) ![p](p.png) [img](p.png)\n",
  );
  folder.write("plan.md", "# Plan\n\nValves are replaced every month. Nothing on cleaning.\n");
  folder.write("notes/Meeting.md", "# Meeting\n\nWe met.\n");
  folder.write("other/Meeting.md", "# Meeting elsewhere\n\nThey met. [[start]]\n");
  folder.write("pumps.md", "---\ntopic: pumps\n---\n# Pumps\n\nThe pump is cleaned in spring and autumn.\n");
}

const pathsOf = (answer: { nodes: readonly { why: string; path: string }[] }) =>
  answer.nodes.map(({ why, path }) => `${why} ${path}`);

describe("findConnections", () => {
  let folder: TestFolder;
  let engine: Engine;
  beforeAll(async () => {
    folder = new TestFolder();
    write(folder);
    await indexOnce(folder.path);
    engine = testEngine(folder.path);
  });
  afterAll(async () => {
    await engine.close();
    folder[Symbol.dispose]();
  });

  test("tells what is connected, why, and where the links are", () => {
    const answer = engine.connections.find({ start: "notes/start.md", min_similarity: 0.45 });
    expect(pathsOf(answer)).toEqual([
      "start notes/start.md",
      "links_to plan.md",
      "links_to notes/Meeting.md",
      "linked_from other/Meeting.md",
      "similar pumps.md",
    ]);
    expect(answer.edges.slice(0, 3)).toEqual([
      { from: 0, to: 1, why: "links_to", line: 8, target: "../plan.md" },
      { from: 0, to: 2, why: "links_to", line: 8, target: "Meeting", others: ["other/Meeting.md"] },
      { from: 0, to: 3, why: "linked_from", line: 3, target: "start" },
    ]);
    expect(answer.nodes[1]).toMatchObject({
      title: "Plan",
      lines: { start: 3, end: 3 },
      score: null,
      parent_id: 0,
    });
    expect(answer).toMatchObject({
      start_path: "notes/start.md",
      truncated: false,
      truncation: [],
      links: { links_to: 2, linked_from: 1, broken: 3, external: 1, unchecked: 1 },
      broken_links: [
        { line: 8, target: "gone.md" },
        { line: 9, target: "gone.md#x" },
        { line: 9, target: "Nowhere" },
      ],
      stats: { total_nodes: 5, max_depth_reached: 1, seeds_used: 1 },
    });
    expect(answer.degraded).toBeUndefined();
    const lines = connectionLines(answer);
    expect(lines[0]).toBe("notes/start.md: links to 2, linked from 1, 1 external, 3 broken");
    expect(lines).toContain(
      "  [links to, line 8; the name also fits other/Meeting.md] notes/Meeting.md:3-3 — Meeting",
    );
  });

  test("is the same each time, but for its duration", () => {
    const ask = () => {
      const { stats, ...answer } = engine.connections.find({ start: "plan.md", min_similarity: 0 });
      return { ...answer, stats: { ...stats, duration_ms: 0 } };
    };
    expect(ask()).toEqual(ask());
  });

  test("keeps to category and topic at every step", () => {
    const answer = engine.connections.find({ start: "notes/start.md", min_similarity: 0, topic: "pumps" });
    expect(pathsOf(answer)).toEqual(["start notes/start.md", "similar pumps.md"]);
    expect(pathsOf(engine.connections.find({ start: "plan.md", category: "none" }))).toEqual([
      "start plan.md",
    ]);
  });

  test("says which limit ended it, and what to do", () => {
    const answer = engine.connections.find({ start: "notes/start.md", max_nodes: 2 });
    expect(answer.nodes).toHaveLength(2);
    expect(answer).toMatchObject({ truncated: true, truncation: [{ reason: "node_budget", limit: 2 }] });
    expect(answer.truncation[0]!.detail).toContain("raise max_nodes");
  });

  test("takes the path in decomposed form, and names the nearest for another", async () => {
    folder.write("ガイド.md", "# ガイド\n\n手順。\n");
    await indexOnce(folder.path);
    expect(engine.connections.find({ start: "ガイド.md".normalize("NFD") }).start_path).toBe("ガイド.md");
    const failure = failureOf(() => engine.connections.find({ start: "notes/strat.md" }));
    expect(failure).toMatchObject({ code: "missing", hint: "Did you mean notes/start.md?" });
  });

  test("a document that comes mends broken links, one that goes breaks them, without reading the others", async () => {
    using changing = new TestFolder();
    write(changing);
    await indexOnce(changing.path);
    const other = testEngine(changing.path);
    const broken = () =>
      other.connections.findBroken().broken.map(({ path, line, target }) => `${path}:${line}: ${target}`);
    expect(broken()).toEqual([
      "notes/start.md:8: gone.md",
      "notes/start.md:9: gone.md#x",
      "notes/start.md:9: Nowhere",
    ]);
    changing.write("deep/er/Nowhere.md", "# Here\n\nText.\n");
    changing.write("notes/gone.md", "# Back\n\nText.\n");
    changing.remove("plan.md");
    expect(await indexOnce(changing.path)).toMatchObject({ added: 2, removed: 1, updated: 0 });
    expect(broken()).toEqual(["notes/start.md:8: ../plan.md"]);
    await other.close();
  });

  test("follows links alone where the vectors are not made yet, and says so", async () => {
    using unembedded = new TestFolder();
    write(unembedded);
    await indexOnce(unembedded.path, new HashEmbedder(), { vectors: false });
    const other = testEngine(unembedded.path);
    const answer = other.connections.find({ start: "notes/start.md" });
    expect(pathsOf(answer)).not.toContain("similar pumps.md");
    expect(answer.nodes).toHaveLength(4);
    expect(answer.degraded).toBe("similar");
    expect(answer.degraded_reason).toContain("kb index");
    await other.close();
  });
});
