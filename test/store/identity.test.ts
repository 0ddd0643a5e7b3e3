import { describe, expect, test } from "bun:test";
import type { EmbedderIdentity } from "../../src/core/embedder.ts";
import { adoptIdentity, adoptRoot, readIdentity, verifyIdentity } from "../../src/store/identity.ts";
import { openMemoryIndex } from "./sample-index.ts";

const IDENTITY: EmbedderIdentity = {
  name: "small-model",
  revision: "abc",
  dims: 384,
  maxTokens: 256,
  pooling: "mean",
  queryPrefix: "query: ",
  passagePrefix: "passage: ",
};

const incompatible = (...texts: string[]) =>
  expect.objectContaining({
    code: "incompatible",
    message: expect.stringMatching(new RegExp(texts.join(".*"))),
    hint: expect.stringContaining("`kb index"),
  });

describe("adoptIdentity", () => {
  test("records the first embedder and accepts it again", () => {
    using db = openMemoryIndex();
    expect(readIdentity(db)).toBeUndefined();
    verifyIdentity(db, IDENTITY);
    adoptIdentity(db, IDENTITY);
    expect(readIdentity(db)).toEqual(IDENTITY);
    adoptIdentity(db, { ...IDENTITY });
    verifyIdentity(db, IDENTITY);
  });

  test.each([
    [{ name: "large-model" }, ["small-model", "large-model"]],
    [{ revision: "def" }, ["revision abc / def"]],
    [{ dims: 256 }, ["dims 384 / 256"]],
    [{ maxTokens: 512 }, ["maxTokens 256 / 512"]],
    [{ queryPrefix: "" }, ["queryPrefix"]],
    [{ passagePrefix: "" }, ["passagePrefix"]],
  ] satisfies [Partial<EmbedderIdentity>, string[]][])("refuses another %p", (change, texts) => {
    using db = openMemoryIndex();
    adoptIdentity(db, IDENTITY);
    const other = { ...IDENTITY, ...change };
    expect(() => verifyIdentity(db, other)).toThrow(incompatible(...texts));
    expect(() => adoptIdentity(db, other)).toThrow(incompatible(...texts));
    expect(readIdentity(db)).toEqual(IDENTITY);
  });
});

describe("adoptRoot", () => {
  test("records the first root and refuses another, naming both", () => {
    using db = openMemoryIndex();
    adoptRoot(db, "/notes/a");
    adoptRoot(db, "/notes/a");
    expect(() => adoptRoot(db, "/notes/b")).toThrow(incompatible("/notes/a", "/notes/b"));
  });
});
