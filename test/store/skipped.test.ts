import { describe, expect, test } from "bun:test";
import { clearSkipped, listSkipped, recordSkipped, type SkippedFile } from "../../src/store/skipped.ts";
import { openMemoryIndex } from "./sample-index.ts";

const SKIPPED: SkippedFile = {
  path: "b.md",
  reason: "not text",
  contentHash: null,
  isUnreadable: false,
  size: 3,
  mtimeNs: 1_700_000_000_123_456_789n,
  ctimeNs: 1_700_000_000_987_654_321n,
  inode: 18_446_744_073_709_551_615n,
  madeBy: "1/1",
  seenAt: "2026-01-02T03:04:05.000Z",
};

describe("recordSkipped", () => {
  test("remembers each path once, the latest reason, in path order", () => {
    using db = openMemoryIndex();
    recordSkipped(db, SKIPPED);
    recordSkipped(db, { ...SKIPPED, path: "a.md", contentHash: "ff" });
    recordSkipped(db, { ...SKIPPED, reason: "too large" });
    expect(listSkipped(db)).toEqual([
      { ...SKIPPED, path: "a.md", contentHash: "ff" },
      { ...SKIPPED, reason: "too large" },
    ]);
  });
});

describe("clearSkipped", () => {
  test("forgets one path only, and does not mind an unknown one", () => {
    using db = openMemoryIndex();
    recordSkipped(db, SKIPPED);
    recordSkipped(db, { ...SKIPPED, path: "a.md" });
    clearSkipped(db, "b.md");
    clearSkipped(db, "never.md");
    expect(listSkipped(db).map(({ path }) => path)).toEqual(["a.md"]);
  });
});
