/**
 * The tool `get_document` of `kb serve`: what it reads, and above all what it does not.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { RawClient } from "../support/mcp-client.ts";
import { runJson } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const folder = TestFolder.copyOf(SAMPLE_FOLDER);
beforeAll(async () => {
  await runJson(["index", folder.path, "--no-vectors"]);
});
afterAll(() => folder[Symbol.dispose]());

const serve = (...more: readonly string[]) => new RawClient(["--kb", folder.path, ...more]);

describe("get_document", () => {
  test("reads a document, whole or in part", async () => {
    await using client = serve("--no-index");
    await client.initialize();
    const path = "runbooks/バックアップ.md";
    const whole = (await client.callTool("get_document", { path })).structuredContent;
    expect(whole.content.trimEnd()).toBe(folder.read(path).trimEnd());
    expect(whole).toMatchObject({ path, title: "バックアップと復元", truncated: false, lines: { start: 1 } });
    const part = (await client.callTool("get_document", { path, start_line: 9, end_line: 12 }))
      .structuredContent;
    expect(part.content).toBe(folder.read(path).split("\n").slice(8, 12).join("\n"));
    expect(part.lines).toEqual({ start: 9, end: 12 });
  });

  test("names the documents that were probably meant", async () => {
    await using client = serve("--no-index");
    await client.initialize();
    const { isError, content } = await client.callTool("get_document", { path: "runbooks/deploi.md" });
    expect(isError).toBe(true);
    expect(content[0].text).toStartWith("missing: ");
    expect(content[0].text).toContain("runbooks/deploy.md");
  });

  test("reads nothing but indexed documents of this folder", async () => {
    using root = TestFolder.copyOf(SAMPLE_FOLDER);
    using outside = new TestFolder();
    const secret = outside.write("secret.md", "# Secret\n\nfour eight fifteen\n");
    root.write("code.ts", "const secret = 'four eight fifteen';");
    root.write(".hidden.md", "# Hidden\n\nfour eight fifteen\n");
    symlinkSync(secret, root.at("link.md"));
    symlinkSync(outside.path, root.at("way-out"));
    await runJson(["index", root.path, "--no-vectors"]);
    root.remove("product/release-notes.md");
    symlinkSync(secret, root.at("product/release-notes.md"));
    root.rename("handbook", "handbook-moved");
    outside.write("handbook/security.md", "# Secret\n\nfour eight fifteen\n");
    symlinkSync(outside.at("handbook"), root.at("handbook"));
    const up = `../${outside.path.split("/").at(-1)}/secret.md`;
    const attempts = [
      "../../etc/passwd",
      "../../../../etc/passwd",
      "/etc/passwd",
      secret,
      up,
      `runbooks/../${up}`,
      "..%2f..%2fetc%2fpasswd",
      "%2e%2e/%2e%2e/etc/passwd",
      "..\\..\\etc\\passwd",
      "runbooks/deploy.md\u0000.txt",
      "\u0000",
      "file:///etc/passwd",
      "link.md",
      "way-out/secret.md",
      "code.ts",
      ".hidden.md",
      ".kb/current",
      ".kb/index-1.db",
      "product/release-notes.md",
      "handbook/security.md",
      "runbooks",
      ".",
      "",
      "./",
      "/",
      "~/.ssh/id_rsa",
      "C:\\Windows\\win.ini",
      "runbooks/deploy.md/",
    ];
    await using client = new RawClient(["--kb", root.path, "--no-index"]);
    await client.initialize();
    for (const path of attempts) {
      const { isError, content } = await client.callTool("get_document", { path });
      const text = content[0].text;
      expect({ path, isError, leaks: /four eight|root:|SQLite format/.test(text) }).toEqual({
        path,
        isError: true,
        leaks: false,
      });
      expect(text).toMatch(/^(?:usage|missing|io): /);
      if (path !== secret) expect(text).not.toContain(outside.path);
    }
    expect((await client.callTool("get_document", { path: "runbooks/deploy.md" })).isError).toBeFalsy();
  });
});
