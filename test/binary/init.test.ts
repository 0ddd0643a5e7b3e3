/**
 * `kb init` and `kb completions`: what they write, and what they leave as it is.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readlinkSync, statSync, symlinkSync } from "node:fs";
import { BINARY, runJson, runKb } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(60_000);

describe("kb init", () => {
  test("writes a kb.toml that changes nothing, once", async () => {
    using folder = new TestFolder();
    folder.write("note.md", "# Note\n\nThe nightly backup runs at two.\n");
    const first = await runKb(["init", folder.path]);
    expect(first).toMatchObject({ code: 0, stdout: `${folder.at("kb.toml")}\n` });
    expect(folder.read("kb.toml")).toContain("#debounce_ms = 200");
    folder.write("kb.toml", `${folder.read("kb.toml")}# mine\n`);
    const second = await runKb(["init", folder.path]);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain("already");
    expect(folder.read("kb.toml")).toEndWith("# mine\n");
    expect((await runJson(["index", folder.path, "--no-vectors"])).documents).toBe(1);
    expect((await runKb(["init", "--print"], { cwd: folder.path })).stdout).toContain("[search.fusion]");
  });

  test("writes a token that only its owner can read, once", async () => {
    using folder = new TestFolder();
    const file = folder.at("secrets/token");
    expect((await runKb(["init", "--token", file])).stdout).toBe(`${file}\n`);
    const token = folder.read("secrets/token").trim();
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await runKb(["init", "--token", file])).code).toBe(2);
    expect(folder.read("secrets/token").trim()).toBe(token);
    const home = { HOME: folder.path, XDG_CONFIG_HOME: "" };
    expect((await runJson(["init", "--token", "--json"], { env: home })).file).toBe(
      folder.at(".config/kb/token"),
    );
  });

  test("puts the server into a client's file and keeps everything else, with a copy of what it was", async () => {
    using home = new TestFolder();
    using notes = new TestFolder();
    const before =
      '{\n  "numStartups": 12345678901234567890,\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" },\n  },\n}\n';
    home.write(".claude.json", before);
    const init = (...more: string[]) =>
      runKb(["init", "--kb", notes.path, "--client", "claude-code", "--name", "notes", ...more], {
        env: { HOME: home.path },
      });
    const first = await init();
    expect(first).toMatchObject({ code: 0, stdout: `${home.at(".claude.json")}\n` });
    const after = home.read(".claude.json");
    const entry = `"notes": {\n      "type": "stdio",\n      "command": ${JSON.stringify(BINARY)},`;
    expect(after).toContain(entry);
    expect(after).toContain(
      '12345678901234567890,\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" },',
    );
    expect(home.read(".claude.json.before-kb")).toBe(before);
    const second = await init();
    expect(second.stderr).toContain("nothing was changed");
    expect(home.read(".claude.json")).toBe(after);
    expect(home.list().sort()).toEqual([".claude.json", ".claude.json.before-kb"]);
  });

  test("moves an entry of the same folder to this executable, and touches no other of that name", async () => {
    using home = new TestFolder();
    using notes = new TestFolder();
    const file = ".cursor/mcp.json";
    const init = () =>
      runKb(["init", "--kb", notes.path, "--client", "cursor", "--name", "notes"], {
        env: { HOME: home.path },
      });
    const old = { command: "/old/kb", args: ["serve", "--kb", notes.path], env: { KB_RUNTIME: "wasm" } };
    home.write(file, JSON.stringify({ mcpServers: { notes: old } }));
    expect((await init()).code).toBe(0);
    expect(JSON.parse(home.read(file)).mcpServers.notes).toEqual({ ...old, command: BINARY });
    const foreign = JSON.stringify({ mcpServers: { notes: { url: "https://example.org" } } });
    home.write(file, foreign);
    const refused = await init();
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("--name");
    expect(home.read(file)).toBe(foreign);
  });

  test("leaves a broken file as it is and shows what to put into it; prints without writing", async () => {
    using home = new TestFolder();
    using notes = new TestFolder();
    home.write(".config/Code/User/mcp.json", '{ "servers": { ');
    const init = (...more: string[]) =>
      runKb(["init", notes.path, "--client", "vscode", "--name", "notes", ...more], {
        env: { HOME: home.path, XDG_CONFIG_HOME: "" },
      });
    const broken = await init();
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain('"servers": {');
    expect(home.read(".config/Code/User/mcp.json")).toBe('{ "servers": { ');
    const printed = await init("--print");
    expect(JSON.parse(printed.stdout).servers.notes.args).toEqual(["serve", "--kb", notes.path]);
  });

  test("makes the file of a project, and follows a link to where the file is kept", async () => {
    using project = new TestFolder();
    using kept = new TestFolder();
    const init = () =>
      runKb(["init", project.path, "--client", "claude-code", "--name", "docs", "--project"], {
        cwd: project.path,
      });
    expect((await init()).code).toBe(0);
    expect(JSON.parse(project.read(".mcp.json")).mcpServers.docs.command).toBe(BINARY);
    project.remove(".mcp.json");
    kept.write("mcp.json", "{}\n");
    symlinkSync(kept.at("mcp.json"), project.at(".mcp.json"));
    expect((await init()).code).toBe(0);
    expect(readlinkSync(project.at(".mcp.json"))).toBe(kept.at("mcp.json"));
    expect(JSON.parse(kept.read("mcp.json")).mcpServers.docs).toBeDefined();
  });

  test.each([
    [["--client", "cursr"], "claude-desktop"],
    [["--client", "cursor", "--token"], "together"],
    [["--name", "x"], "--client"],
    [["--client", "claude-desktop", "--project"], "project"],
  ])("refuses %p", async (flags, part) => {
    using folder = new TestFolder();
    const result = await runKb(["init", "--kb", folder.path, ...flags], { env: { HOME: folder.path } });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(part);
    expect(folder.list()).toEqual([]);
  });
});

describe("kb completions", () => {
  const bash = async (line: string) => {
    const script = `source <("$KB" completions bash)
COMP_LINE=${JSON.stringify(line)}; COMP_WORDS=($COMP_LINE); [[ "$COMP_LINE" == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _kb; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const child = Bun.spawn(["bash", "--norc", "-c", script], {
      env: { ...process.env, KB: BINARY },
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await new Response(child.stderr).text()).toBe("");
    return (await new Response(child.stdout).text()).trim().split("\n");
  };

  test.skipIf(Bun.which("bash") === null)("complete commands and options in bash", async () => {
    expect(await bash("kb se")).toEqual(["search", "serve"]);
    expect(await bash("kb ")).toContain("index");
    expect(await bash("kb index --f")).toEqual(["--force"]);
    expect(await bash("kb --kb /tmp search --li")).toEqual(["--limit"]);
    expect(await bash("kb index --no-v")).toEqual(["--no-vectors"]);
    expect(await bash("kb index --kb /us")).toContain("/usr");
  });

  test.each(["zsh", "fish"])("are read by %s without complaint, where it is installed", async (shell) => {
    const printed = await runKb(["completions", shell]);
    expect(printed.code).toBe(0);
    for (const name of ["index", "search", "serve", "completions", "force"])
      expect(printed.stdout).toContain(name);
    const program = Bun.which(shell);
    if (program === null) return;
    using folder = new TestFolder();
    const file = folder.write("kb.script", printed.stdout);
    expect(Bun.spawnSync([program, "-n", file]).stderr.toString()).toBe("");
  });

  test("refuse another shell, naming those there are", async () => {
    const result = await runKb(["completions", "tcsh"]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("bash, zsh or fish");
  });
});
