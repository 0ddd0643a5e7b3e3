import { describe, expect, test } from "bun:test";
import { deleteDocument, findDocument, listDocumentStates } from "../../src/store/documents.ts";
import { storeReading } from "../../src/store/readings.ts";
import { readStatusCounts } from "../../src/store/status-counts.ts";
import { openMemoryIndex, sampleRecord, storeDocument } from "./sample-index.ts";

const READING = {
  encoding: "utf-8",
  parserVersion: "1",
  chunkerVersion: "1",
  indexedAt: "2026-01-02T03:04:05.000Z",
};

describe("storeReading", () => {
  test("gives equal readings one id, and different ones different ids", () => {
    using db = openMemoryIndex();
    const others = Object.keys(READING).map((field) => ({ ...READING, [field]: "other" }));
    const readings = [READING, ...others];
    for (const [n, reading] of readings.entries()) storeDocument(db, sampleRecord(`${n}.md`, reading), []);
    const ids = readings.map((reading) => storeReading(db, { ...reading }));
    expect(new Set(ids).size).toBe(5);
    for (const [n, reading] of readings.entries()) expect(findDocument(db, `${n}.md`)).toMatchObject(reading);
    const { parserVersion, chunkerVersion } = readings[2]!;
    expect(listDocumentStates(db).get("2.md")).toMatchObject({ parserVersion, chunkerVersion });
  });

  test("forgets what no document names any more, and nothing else", () => {
    using db = openMemoryIndex();
    for (let run = 10; run < 30; run++) {
      storeDocument(db, sampleRecord("often.md", { indexedAt: `2026-02-${run}T00:00:00.000Z` }), []);
      storeDocument(db, sampleRecord("once.md"), []);
    }
    expect(db.get<{ n: number }>("SELECT count(*) AS n FROM readings")!.n).toBeLessThanOrEqual(3);
    expect(findDocument(db, "often.md")?.indexedAt).toBe("2026-02-29T00:00:00.000Z");
    expect(findDocument(db, "once.md")?.indexedAt).toBe(READING.indexedAt);
  });
});

describe("readStatusCounts", () => {
  test("dates the index by the youngest document that is still there", () => {
    using db = openMemoryIndex();
    storeDocument(db, sampleRecord("old.md"), []);
    const young = storeDocument(db, sampleRecord("young.md", { indexedAt: "2026-03-01T00:00:00.000Z" }), []);
    expect(readStatusCounts(db).indexedAt).toBe("2026-03-01T00:00:00.000Z");
    deleteDocument(db, young);
    expect(readStatusCounts(db).indexedAt).toBe(READING.indexedAt);
  });
});
