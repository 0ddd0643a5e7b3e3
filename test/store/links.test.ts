import { describe, expect, test } from "bun:test";
import type { DocumentLinks } from "../../src/core/link.ts";
import { deleteDocument, replaceDocument } from "../../src/store/documents.ts";
import { prepareIndexedText } from "../../src/store/indexed-text.ts";
import { listLinkingDocuments } from "../../src/store/links.ts";
import type { IndexDatabase } from "../../src/store/open.ts";
import { failureOf } from "../support/failure-of.ts";
import { openMemoryIndex, sampleChunk, sampleRecord } from "./sample-index.ts";

const LINKS: DocumentLinks = {
  links: [
    { kind: "markdown", target: 'b.md#"x"', lines: [3, 9] },
    { kind: "wiki", target: "会議|メモ", lines: [4] },
  ],
  external: 2,
};

function store(db: IndexDatabase, path: string, links?: DocumentLinks) {
  return replaceDocument(db, sampleRecord(path), prepareIndexedText(path, [sampleChunk(0, "text")]), links);
}

describe("links", () => {
  test("are given back as they were stored, in path order", () => {
    using db = openMemoryIndex();
    store(db, "b.md", { links: [], external: 1 });
    store(db, "a.md", LINKS);
    store(db, "none.md", { links: [], external: 0 });
    expect(listLinkingDocuments(db)).toEqual([
      { path: "a.md", ...LINKS },
      { path: "b.md", links: [], external: 1 },
    ]);
  });

  test("are replaced with their document, and go with it", () => {
    using db = openMemoryIndex();
    store(db, "a.md", LINKS);
    store(db, "a.md", { links: [], external: 7 });
    expect(listLinkingDocuments(db)).toEqual([{ path: "a.md", links: [], external: 7 }]);
    deleteDocument(db, store(db, "a.md"));
    expect(db.all("SELECT * FROM document_links")).toEqual([]);
  });

  test("that cannot be read are damage", () => {
    using db = openMemoryIndex();
    store(db, "a.md", LINKS);
    db.run("UPDATE document_links SET links = '['");
    expect(failureOf(() => listLinkingDocuments(db))).toMatchObject({ code: "corrupt" });
  });
});
