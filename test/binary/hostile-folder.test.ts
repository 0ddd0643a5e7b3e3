/**
 * Folders with everything in them that has ever stopped an indexer.
 *
 * One bad file never stops a run, never becomes garbage in the index, and is listed with
 * its reason.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, linkSync, symlinkSync, writeFileSync } from "node:fs";
import { generateDocument, JAPANESE_BYTES, JAPANESE_TEXT } from "../support/documents.ts";
import { asPlainUser, runJson, runKb, type WireValue } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(300_000);

const index = (folder: TestFolder) => runJson(["index", folder.path, "--no-vectors"]);
const search = (folder: TestFolder, query: string) => runJson(["search", query, "--kb", folder.path]);
const pathsOf = (items: readonly { path: string }[]) => items.map((item) => item.path).sort();

describe("kb index", () => {
  test("goes past pipes, links, loops, empty and binary files", async () => {
    using folder = new TestFolder();
    using outside = new TestFolder();
    const secret = outside.write("secret.md", "# Secret\n\nThe combination of the safe is twelve.\n");
    folder.write("good.md", "# Good\n\nThe combination of herbs is basil and thyme.\n");
    folder.write("empty.md", "");
    folder.write("blank.md", "\n \n\t\n");
    folder.write("nul.md", "# Nul\n\nbefore\u0000after\n");
    folder.write("picture.md", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]));
    folder.write("deep/er/still/fine.txt", "The combination of colours is grey and blue.\n");
    folder.write("NOTES.MD", "# Upper case\n\nThe combination of letters is loud.\n");
    folder.write("~$good.md", "lock file of an office program");
    folder.write(".hidden.md", "# Hidden\n\nThe combination of nothing.\n");
    folder.write("node_modules/pkg/readme.md", "# Package\n\nThe combination of packages.\n");
    folder.write("code.ts", "const combination = 1;");
    expect(Bun.spawnSync(["mkfifo", folder.at("pipe.md")]).success).toBe(true);
    symlinkSync(secret, folder.at("link.md"));
    symlinkSync(outside.path, folder.at("linked-folder"));
    symlinkSync(folder.path, folder.at("loop"));
    symlinkSync("/nonexistent/x.md", folder.at("dangling.md"));

    const report = await index(folder);
    const found = (await search(folder, "combination")).results;
    expect(pathsOf(found)).toEqual(["NOTES.MD", "deep/er/still/fine.txt", "good.md"]);
    expect(JSON.stringify(found)).not.toContain("safe");
    expect(pathsOf(report.skipped)).toEqual(expect.arrayContaining(["link.md", "nul.md", "picture.md"]));
    for (const { reason } of report.skipped) expect(reason).toBeString();
    expect((await index(folder)).added).toBe(0);
  });

  test("recognises Japanese encodings, and never stores garbage", async () => {
    using folder = new TestFolder();
    for (const [encoding, bytes] of Object.entries(JAPANESE_BYTES)) folder.write(`${encoding}.md`, bytes);
    folder.write("utf-8-bom.md", `\uFEFF---\ntitle: 見積書\n---\n${JAPANESE_TEXT}`);
    folder.write(
      "latin-1.md",
      Buffer.from("# Café\n\nÀ la carte: crème brûlée, pâté, naïve façade.", "latin1"),
    );
    folder.write(
      "random.md",
      Buffer.from(Array.from({ length: 4000 }, (_, at) => ((at * 2_654_435_761) >>> 7) & 0xff)),
    );
    const report = await index(folder);
    expect(pathsOf(report.skipped)).toEqual(["latin-1.md", "random.md"]);
    const hits = (await runJson(["search", "消費税は合計金額に対して", "--kb", folder.path, "--limit", "20"]))
      .results;
    expect(pathsOf(hits)).toEqual(
      [...Object.keys(JAPANESE_BYTES), "utf-8-bom"].map((name) => `${name}.md`).sort(),
    );
    for (const hit of hits) {
      expect(hit.content).toContain("端数は切り捨てです。");
      expect(hit.content).not.toContain("\uFFFD");
    }
    const encodings = Object.fromEntries(hits.map((hit: WireValue) => [hit.path, hit.encoding]));
    expect(encodings["shift_jis.md"]).toMatch(/shift.?jis/i);
    expect(encodings["euc-jp.md"]).toMatch(/euc-jp/i);
  });

  test("indexes the text below broken front matter, with a warning that names the file", async () => {
    using folder = new TestFolder();
    const headers = {
      "tab.md": "title: x\n\tindented: y",
      "quote.md": 'title: "unclosed',
      "colons.md": "title: a: b: c",
      "twice.md": "title: one\ntitle: two",
    };
    for (const [path, header] of Object.entries(headers))
      folder.write(path, `---\n${header}\n---\n# Heading\n\nThe valve behind the ${path} panel sticks.\n`);
    folder.write("rule.md", "---\n\nA document that begins with a rule: the valve is fine.\n");
    folder.write("good.md", "---\ntitle: Good\n---\nThe valve of the good document is new and shiny.\n");
    const report = await index(folder);
    expect(report).toMatchObject({ documents: 6, skipped: [] });
    const warned = pathsOf(report.warnings);
    expect(warned).toEqual(expect.arrayContaining(Object.keys(headers)));
    expect(warned).not.toContain("good.md");
    expect(warned).not.toContain("rule.md");
    expect((await runJson(["search", "valve", "--kb", folder.path, "--limit", "20"])).results).toHaveLength(
      6,
    );
  });

  test("keeps names apart that only look alike", async () => {
    using folder = new TestFolder();
    const nfd = "が.md".normalize("NFD");
    folder.write(nfd, "# Decomposed\n\nThe valve of this document has a name in parts.\n");
    folder.write("A.md", "# Upper\n\nThe valve of this document is large.\n");
    folder.write("a.md", "# Lower\n\nThe valve of this document is small.\n");
    folder.write("日本語 メモ.md", "# Space\n\nThe valve of this document has a space.\n");
    folder.write("日本語-メモ.md", "# Hyphen\n\nThe valve of this document has a hyphen.\n");
    expect((await index(folder)).documents).toBe(5);
    expect(pathsOf((await search(folder, "valve")).results)).toEqual(
      ["A.md", "a.md", "が.md".normalize("NFC"), "日本語 メモ.md", "日本語-メモ.md"].sort(),
    );
    expect((await index(folder)).unchanged).toBe(5);

    folder.write("が.md".normalize("NFC"), "# Composed\n\nThe valve of this document has a whole name.\n");
    expect((await index(folder)).documents).toBe(6);
    expect((await index(folder)).unchanged).toBe(6);
  });

  test("keeps names with odd characters, and never lets them drive the terminal", async () => {
    using folder = new TestFolder();
    const names = ["a%20b#c?.md", "two\nlines.md", "-dash.md", "\u001b[31mred.md", `${"あ".repeat(80)}.md`];
    for (const name of names) folder.write(name, "# Odd\n\nThe valve of a document with an odd name.\n");
    folder.write("\u001b[31mbinary.md", new Uint8Array([0, 0, 0, 0]));
    const run = await runKb(["index", folder.path, "--no-vectors"]);
    const found = (await search(folder, "valve")).results;
    expect(pathsOf(found)).toEqual(names.toSorted());
    for (const { path } of found)
      expect((await runKb(["get", "--kb", folder.path, "--", path])).stdout).toContain("odd name");
    const shown = [
      run,
      await runKb(["status", "--kb", folder.path]),
      await runKb(["search", "valve", "--kb", folder.path]),
    ];
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain("\u001b");
  });

  test("shows names that are no UTF-8 instead of losing them", async () => {
    using folder = new TestFolder();
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0xff, 0xfe]), Buffer.from(".md")]),
      "# x\n\nvalve",
    );
    folder.write("good.md", "# Good\n\nThe valve is new and shiny.\n");
    const report = await index(folder);
    expect(report.documents + report.skipped.length).toBe(2);
  });

  test("leaves out what it may not read, and keeps what it knew of it", async () => {
    using folder = new TestFolder();
    using open = new TestFolder();
    chmodSync(folder.path, 0o777);
    folder.write("open.md", "# Open\n\nThe valve in the open is easy to reach.\n");
    folder.write("locked/inner.md", "# Locked\n\nThe valve in the cellar needs a key.\n");
    folder.write("closed.md", "# Closed\n\nThe valve in the attic needs a ladder.\n");
    const options = asPlainUser(open.path);
    const run = () => runJson(["index", folder.path, "--no-vectors"], options);
    expect(await run()).toMatchObject({ documents: 3, skipped: [] });
    chmodSync(folder.at("locked"), 0);
    chmodSync(folder.at("closed.md"), 0);
    try {
      const report = await run();
      expect(report.documents).toBe(3);
      expect(pathsOf(report.skipped)).toEqual(["closed.md", "locked"]);
      const answer = await runJson(["search", "valve", "--kb", folder.path], options);
      expect(pathsOf(answer.results)).toEqual(["closed.md", "locked/inner.md", "open.md"]);
    } finally {
      chmodSync(folder.at("locked"), 0o755);
      chmodSync(folder.at("closed.md"), 0o644);
    }
  });

  test("reads .kbignore", async () => {
    using folder = new TestFolder();
    folder.write(".kbignore", "drafts/\n*.tmp.md\n!keep.tmp.md\n");
    for (const path of ["drafts/a.md", "x.tmp.md", "keep.tmp.md", "b.md"])
      folder.write(path, `# Valve\n\nThe valve that ${path} describes is in the cellar.\n`);
    await index(folder);
    expect(pathsOf((await search(folder, "valve")).results)).toEqual(["b.md", "keep.tmp.md"]);
    folder.write(".kbignore", "");
    expect((await index(folder)).added).toBe(2);
  });

  test("takes the same text in many files, a hard link included", async () => {
    using folder = new TestFolder();
    const text = "# Copy\n\nThe valve is described in twenty places with the very same words.\n";
    for (let number = 0; number < 20; number++) folder.write(`copy-${number}.md`, text);
    linkSync(folder.at("copy-0.md"), folder.at("hard-link.md"));
    const report = await runJson(["index", folder.path]);
    expect(report).toMatchObject({ documents: 21, vectors: { coverage: 1, pending: 0 } });
    folder.write("copy-20.md", text);
    expect((await runJson(["index", folder.path])).vectors).toMatchObject({ embedded: 0, coverage: 1 });
  });

  test("takes a line of 20 MB without a space, and a file of 60 MB", async () => {
    using folder = new TestFolder();
    folder.write("good.md", "# Good\n\nThe zirconium valve is new and shiny.\n");
    folder.write("line.txt", "あいうえおかきくけこ".repeat(20_000_000 / 30));
    let text = "";
    for (let number = 0; text.length < 1_000_000; number++) text += generateDocument(number, 10);
    writeFileSync(folder.at("large.txt"), text.repeat(Math.ceil(60_000_000 / text.length)));
    const report = await index(folder);
    expect(report.documents + report.skipped.length).toBe(3);
    for (const { reason } of report.skipped) expect(reason).toMatch(/\d/);
    expect((await search(folder, "zirconium valve")).results[0].path).toBe("good.md");
  });
});

describe("kb in a folder that brings files for the runtime inside it", () => {
  test("runs none of them and takes no variables from them", async () => {
    using folder = new TestFolder();
    folder.write("bunfig.toml", 'preload = ["./loaded-first.ts"]\n');
    folder.write("loaded-first.ts", 'console.log("code of the folder");\n');
    folder.write(".env", "KB_PATH=/nonexistent/from-dot-env\n");
    folder.write("note.md", "# Note\n\nA calm text.\n");
    const version = await runKb(["--version"], { cwd: folder.path });
    expect(version.stdout).toStartWith("kb ");
    expect(version.stdout).not.toContain("code of the folder");
    const report = await runJson(["index", "--no-vectors"], { cwd: folder.path });
    expect(report.added).toBe(1);
  });
});
