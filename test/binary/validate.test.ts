/**
 * `kb validate` on the compiled program: what it reads, how it tells, and its exit codes.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync } from "node:fs";
import { asPlainUser, runJson, runKb } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(120_000);

const SCHEMA = `
[fields.title]
required = true
max_length = 20
pattern = '^[A-Z一-龠]'
[fields.tags]
enum = ["ops", "会議"]
`;

function notes(): TestFolder {
  const folder = new TestFolder();
  folder.write("kb-schema.toml", SCHEMA);
  folder.write("good.md", "---\ntitle: Good\ntags: [ops, 会議]\n---\n\nText.\n");
  folder.write("bad, 100%.md", "---\ntags: [ops, other]\ntitle: small\n---\n");
  folder.write("none.mdx", "# No front matter\n");
  folder.write("plain.txt", "No front matter is looked for.\n");
  folder.write("drafts/.kbignore", "*\n");
  folder.write("drafts/x.md", "left out, as by indexing\n");
  return folder;
}

const validate = (folder: TestFolder, ...args: readonly string[]) =>
  runKb(["validate", "--kb", folder.path, ...args]);

describe("kb validate", () => {
  test("names file, line, kind and what is legal, and exits with 1", async () => {
    using folder = notes();
    const { code, stdout, stderr } = await validate(folder);
    expect(code).toBe(1);
    expect(stdout.split("\n")).toEqual([
      'bad, 100%.md:2: not_in_enum: tags has "other"; it may be "ops", "会議"',
      'bad, 100%.md:3: pattern_mismatch: title is "small", which does not match ^[A-Z一-龠]',
      "none.mdx:1: missing_required: title is required and not there",
      "",
    ]);
    expect(stderr).toBe("kb: 2 of 3 files break a rule\n");
  });

  test("exits with 0 where nothing is wrong", async () => {
    using folder = notes();
    folder.remove("bad, 100%.md");
    folder.remove("none.mdx");
    expect(await validate(folder)).toMatchObject({ code: 0, stdout: "" });
    expect(await runJson(["validate", "--kb", folder.path])).toEqual({
      root: folder.path,
      schema: folder.at("kb-schema.toml"),
      scanned: 1,
      violated: 0,
      ok: true,
      files: [],
      warnings: [],
    });
  });

  test("gives the same as JSON", async () => {
    using folder = notes();
    const report = await runJson(["validate", "--kb", folder.path], {}, 1);
    expect(report).toMatchObject({ scanned: 3, violated: 2, ok: false });
    expect(report.files[1]).toEqual({
      path: "none.mdx",
      violations: [
        { kind: "missing_required", field: "title", line: 1, message: "title is required and not there" },
      ],
    });
  });

  test("stops at the first file with --fail-fast", async () => {
    using folder = notes();
    expect((await validate(folder, "--fail-fast")).stdout.match(/^\S.*\.mdx?:/gm)).toHaveLength(2);
    expect(await runJson(["validate", "--kb", folder.path, "--fail-fast"], {}, 1)).toMatchObject({
      violated: 1,
    });
  });

  test("annotates for GitHub, with everything escaped and files as seen from the working directory", async () => {
    using folder = new TestFolder();
    folder.write("docs/kb-schema.toml", "[fields.title]\nenum = ['a', '50%\\n']\n");
    folder.write("docs/a:b, 100%.md", "---\ntitle: 'x\n\n  y'\n---\n");
    const args = ["validate", "--kb", folder.at("docs"), "--format", "github"];
    const { code, stdout } = await runKb(args, { cwd: folder.path });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^::error file=docs\/a%3Ab%2C 100%25\.md,line=2,title=frontmatter::not_in_enum: [^\n]*50%25[^\n]*\n$/,
    );
  });

  test("takes other rules with --schema, and refuses wrong ones with all their mistakes", async () => {
    using folder = notes();
    const rules = folder.write("other.toml", "[fields.topic]\nrequired = true\n");
    expect((await validate(folder, "--schema", rules)).stdout).toContain("topic is required");
    folder.write("other.toml", "[fields.titel]\n[fields.topic]\npattern = '('\n");
    const { code, stderr } = await validate(folder, "--schema", rules);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean title?");
    expect(stderr).toContain('"(" is no pattern');
    expect(await validate(folder, "--schema", "/nonexistent.toml")).toMatchObject({ code: 2, stdout: "" });
  });

  test("without rules tells only front matter that cannot be read as meant", async () => {
    using folder = new TestFolder();
    folder.write("a.md", "---\ntitle: A\n---\n");
    const clean = await validate(folder);
    expect(clean).toMatchObject({ code: 0, stdout: "" });
    expect(clean.stderr).toContain("kb-schema.toml");
    folder.write("b.md", "---\ntitle: A\ntitle: B\nx: [\n---\n");
    const broken = await validate(folder);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain("b.md:1: invalid_front_matter: broken YAML");
    expect(broken.stdout).toContain("b.md:1: invalid_front_matter: duplicate key `title`");
  });

  test("ends soon for patterns and values made to take forever", async () => {
    using folder = new TestFolder();
    folder.write("kb-schema.toml", "[fields.title]\npattern = '^(([a-z])+.)+[A-Z]([a-z])+$'\n");
    folder.write("a.md", `---\ntitle: ${"a".repeat(4000)}\n---\n`);
    folder.write("b.md", `---\ntitle: ${"a".repeat(60_000)}\n---\n`);
    const { code, stdout } = await validate(folder);
    expect(code).toBe(1);
    expect(stdout).toContain("which does not match");
    expect(stdout).toContain("b.md:2: pattern_mismatch: title has 60000 characters");
  });

  test("tells what it could not read, and goes on", async () => {
    using folder = notes();
    chmodSync(folder.at("good.md"), 0);
    const result = await runKb(["validate", "--kb", folder.path], asPlainUser(folder.path));
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("kb: not checked: good.md: no permission to read it");
    expect(result.stdout).toContain("none.mdx:1:");
  });
});
