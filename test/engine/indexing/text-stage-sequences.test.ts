import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { runTextStage, type TextStageOptions } from "../../../src/engine/indexing/text-stage.ts";
import { runVectorStage } from "../../../src/engine/indexing/vector-stage.ts";
import type { IndexDatabase } from "../../../src/store/open.ts";
import { listSkipped, listStaleDocuments } from "../../../src/store/skipped.ts";
import { openMemoryIndex } from "../../store/sample-index.ts";
import { anyChange, applyChange, type Change, openAll } from "../../support/folder-changes.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { type DocumentRows, type IndexRows, rowsOf } from "../../support/index-rows.ts";
import { NO_JOURNAL } from "../../support/no-journal.ts";
import { TestFolder } from "../../support/test-folder.ts";
import { unprivilegedUntilDone } from "../../support/unprivileged.ts";

/** How many sequences; the usual number takes some seconds, `KB_TEST_SEQUENCES=2000` some minutes. */
const SEQUENCES = Number(process.env["KB_TEST_SEQUENCES"] ?? 60);

const settings = fc.record({
  hidden: fc.boolean(),
  gitignore: fc.boolean(),
  excludeDirs: fc.constantFrom<string[]>([], ["f"]),
  maxTokens: fc.constantFrom(64, 96),
  overlapTokens: fc.constantFrom(0, 16),
});
type Settings = typeof settings extends fc.Arbitrary<infer Each> ? Each : never;

const usual: Settings = { hidden: false, gitignore: true, excludeDirs: [], maxTokens: 96, overlapTokens: 0 };

const step = fc.oneof(
  { weight: 20, arbitrary: anyChange.map((change) => ({ kind: "change", change }) as const) },
  { weight: 5, arbitrary: fc.constant({ kind: "run" } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "run", verify: true } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "run", stops: true } as const) },
  { weight: 1, arbitrary: settings.map((to) => ({ kind: "settings", to }) as const) },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** Beginnings that chance would seldom build by itself. */
const beginning: fc.Arbitrary<readonly Change[]> = fc.array(
  anyChange.filter(({ kind }) => kind === "write" || kind === "ignore"),
  { minLength: 3, maxLength: 10 },
);

async function index(
  root: string,
  db: IndexDatabase,
  embedder: HashEmbedder,
  { maxTokens, overlapTokens, ...walk }: Settings,
  options: Partial<TextStageOptions> = {},
): Promise<void> {
  await unprivilegedUntilDone(() =>
    runTextStage(root, db, {
      walk: { extensions: ["md", "txt"], ...walk },
      chunk: { maxTokens, overlapTokens },
      verify: false,
      embedder,
      pool: { workers: 0 },
      onProgress() {},
      signal: new AbortController().signal,
      ...NO_JOURNAL,
      now: () => new Date(),
      ...options,
    }),
  );
}

function hashOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest().subarray(0, 16).toString("hex");
}

async function embed(db: IndexDatabase, embedder: HashEmbedder): Promise<string[]> {
  const before = embedder.embeddedPassages.length;
  await runVectorStage(db, {
    ...{ embedder, onProgress() {}, signal: new AbortController().signal },
    ...NO_JOURNAL,
  });
  return embedder.embeddedPassages.slice(before).map(hashOf);
}

/** Compares with an index made from nothing; documents that cannot be read now must be as they were. */
async function expectFresh(
  root: string,
  db: IndexDatabase,
  before: IndexRows,
  embedder: HashEmbedder,
  config: Settings,
): Promise<void> {
  using fresh = openMemoryIndex();
  await index(root, fresh, embedder, config);
  await embed(fresh, embedder);
  const closed = listSkipped(fresh).filter(({ isUnreadable }) => isUnreadable);
  const isClosed = (path: string) =>
    closed.some((skip) => path === skip.path || path.startsWith(`${skip.path}/`));
  const stale = [...before.documents].filter(([path]) => isClosed(path));
  const expected = rowsOf(fresh);
  const actual = rowsOf(db);
  expect(actual.strays).toEqual([]);
  expect(actual.skipped).toEqual([...expected.skipped]);
  expect(listStaleDocuments(db).map(({ path }) => path)).toEqual(stale.map(([path]) => path));
  const paths = [...expected.documents.keys(), ...stale.map(([path]) => path)];
  expect([...actual.documents.keys()].sort()).toEqual(paths.sort());
  for (const [path, document] of expected.documents) expect(actual.documents.get(path)).toEqual(document);
  for (const [path, document] of stale)
    expect(withoutVectors(actual.documents.get(path)!)).toEqual(withoutVectors(document));
}

/** A document that an interrupted run left without vectors gets them, whether or not its file can be read. */
function withoutVectors({ chunks, ...document }: DocumentRows) {
  return { ...document, chunks: chunks.map(({ vector: _, ...chunk }) => chunk) };
}

/** @param waits Whether the clock ticks between changes and runs, so that stats can be trusted; else none may be. */
async function play(first: readonly Change[], steps: readonly Step[], waits: boolean): Promise<void> {
  using folder = new TestFolder();
  using db = openMemoryIndex();
  const embedder = new HashEmbedder();
  const tick = () => waits && Bun.sleepSync(TICK_MS);
  const now = () => new Date(Date.now() + (waits ? FAR_AHEAD_MS : 0));
  let config = usual;
  try {
    for (const change of first) applyChange(folder.path, change);
    for (const step of [{ kind: "run" } as Step, ...steps, { kind: "run" } as Step]) {
      if (step.kind === "change") {
        applyChange(folder.path, step.change);
      } else if (step.kind === "settings") {
        config = step.to;
      } else if ("stops" in step) {
        const stop = new AbortController();
        tick();
        const onProgress = ({ stage }: { stage: string }) => stage === "text" && stop.abort();
        await index(folder.path, db, embedder, config, { now, signal: stop.signal, onProgress });
        tick();
      } else {
        const before = rowsOf(db);
        tick();
        await index(folder.path, db, embedder, config, { now, verify: "verify" in step });
        tick();
        for (const text of await embed(db, embedder)) expect(before.embedded).not.toContain(text);
        await expectFresh(folder.path, db, before, embedder, config);
      }
    }
  } finally {
    openAll(folder.path);
  }
}

/** More than the kernel's steps of time. */
const TICK_MS = 12;
const FAR_AHEAD_MS = 3600_000;

describe("after a run the index equals the folder", () => {
  test("whatever happened before", async () => {
    await fc.assert(
      fc.asyncProperty(beginning, fc.array(step, { maxLength: 24, size: "max" }), fc.boolean(), play),
      { numRuns: SEQUENCES },
    );
  }, 3600_000);
});
