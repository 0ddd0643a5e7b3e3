import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { hashDocument, MAX_DOCUMENT_BYTES, readDocument } from "../../src/source/read.ts";
import { TestFolder } from "../support/test-folder.ts";

const options = { maxBytes: MAX_DOCUMENT_BYTES };

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

describe("readDocument", () => {
  test("gives text, encoding, the hash of the raw bytes and the stat", () => {
    using folder = new TestFolder();
    const content = "\uFEFF日本語\r\n";
    const file = folder.write("日本/a.md", content);
    const stat = lstatSync(file, { bigint: true });
    expect(readDocument(folder.path, { rawPath: "日本/a.md" }, options)).toEqual({
      kind: "text",
      text: "日本語\n",
      encoding: "utf-8",
      contentHash: sha256(content),
      size: Number(stat.size),
      mtimeNs: stat.mtimeNs,
      ctimeNs: stat.ctimeNs,
      inode: stat.ino,
    });
  });

  test("gives the hash of a file that is no text", () => {
    using folder = new TestFolder();
    folder.write("a.md", "a\0b");
    expect(readDocument(folder.path, { rawPath: "a.md" }, options)).toEqual({
      kind: "skip",
      reason: expect.stringContaining("NUL"),
      contentHash: sha256("a\0b"),
    });
  });

  test("reads an empty file", () => {
    using folder = new TestFolder();
    folder.write("a.md", "");
    expect(readDocument(folder.path, { rawPath: "a.md" }, options)).toMatchObject({ kind: "text", text: "" });
  });

  test("reads a text of 60 MB", () => {
    using folder = new TestFolder();
    folder.write("a.txt", "0123456789abcde\n".repeat(3_750_000));
    const outcome = readDocument(folder.path, { rawPath: "a.txt" }, options);
    expect(outcome.kind === "text" && outcome.text.length).toBe(60_000_000);
  });

  test("skips what is over the limit, and takes what is exactly at it", () => {
    using folder = new TestFolder();
    folder.write("a.md", "12345");
    const file = { rawPath: "a.md" };
    expect(readDocument(folder.path, file, { maxBytes: 5 }).kind).toBe("text");
    expect(readDocument(folder.path, file, { maxBytes: 4 })).toEqual({
      kind: "skip",
      reason: "too large: 5 bytes, the limit is 4",
    });
  });
});

describe.each([
  ["readDocument", readDocument],
  ["hashDocument", hashDocument],
] as const)("%s", (_, read) => {
  test("says that a file is gone", () => {
    using folder = new TestFolder();
    expect(read(folder.path, { rawPath: "a.md" }, options)).toMatchObject({ kind: "skip", isMissing: true });
  });

  test("skips a link, a pipe without waiting, and a folder", () => {
    using folder = new TestFolder();
    folder.write("real.md", "text");
    symlinkSync(folder.at("real.md"), folder.at("link.md"));
    symlinkSync(folder.at("loop.md"), folder.at("loop.md"));
    mkdirSync(folder.at("folder.md"));
    Bun.spawnSync(["mkfifo", folder.at("pipe.md")]);
    const reasons = ["link.md", "loop.md", "folder.md", "pipe.md"].map((rawPath) => {
      const outcome = read(folder.path, { rawPath }, options);
      return outcome.kind === "skip" ? outcome.reason : outcome.kind;
    });
    expect(reasons).toEqual(["symbolic link", "symbolic link", "not a regular file", "not a regular file"]);
  });

  test("skips what it may not read", () => {
    using folder = new TestFolder();
    chmodSync(folder.write("a.md", "text"), 0o000);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    const outcome = read(folder.path, { rawPath: "a.md" }, options);
    if (isRoot) process.seteuid?.(0);
    expect(outcome).toEqual({ kind: "skip", reason: "no permission to read it", isUnreadable: true });
  });
});

describe("hashDocument", () => {
  test("gives the hash and stat that readDocument gives, over many portions too", () => {
    using folder = new TestFolder();
    folder.write("a.md", "0123456789\n".repeat(300_000));
    const read = readDocument(folder.path, { rawPath: "a.md" }, options);
    const hashed = hashDocument(folder.path, { rawPath: "a.md" }, options);
    if (read.kind !== "text" || hashed.kind !== "hash") throw new Error("not read");
    const { kind: _, text: __, encoding: ___, ...rest } = read;
    expect(hashed).toEqual({ kind: "hash", ...rest });
  });
});
