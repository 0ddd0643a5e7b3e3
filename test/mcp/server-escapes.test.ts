/** Nothing but indexed documents can be read, through tools and resources alike, however it is asked for. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { type Engine, openEngine } from "../../src/engine/engine.ts";
import { documentUri } from "../../src/mcp/resource-uri.ts";
import { createServer } from "../../src/mcp/server.ts";
import { escapeForms } from "../support/escape-forms.ts";
import { HashEmbedder } from "../support/hash-embedder.ts";
import { indexOnce } from "../support/test-engine.ts";
import { TestFolder } from "../support/test-folder.ts";

const SWAPPED = ["link", "hard-link", "fifo", "device", "directory", "gone"] as const;
const SECRET = "four eight fifteen sixteen";
const NOTE = "# Note\n\nThe nightly backup runs at two.\n";

describe("createServer", () => {
  const outside = new TestFolder();
  const folder = new TestFolder();
  const secretFile = outside.write("secret.md", `# Secret\n\n${SECRET}\n`);
  const bugs: string[] = [];
  let engine: Engine;
  let client: Client;

  beforeAll(async () => {
    folder.write("ops/backups.md", NOTE);
    folder.write(
      "kb.toml",
      '[index]\nexclude_dirs = ["excluded"]\n[best_practice]\npath_templates = ["{target}", "ops/{target}.md"]\n',
    );
    for (const hidden of [
      ".hidden.md",
      "secret.key",
      "code.ts",
      ".gitignore",
      "node_modules/x/readme.md",
      "excluded/private.md",
    ])
      folder.write(hidden, `# Hidden\n\n${SECRET}\n`);
    symlinkSync(secretFile, folder.at("link.md"));
    symlinkSync(outside.path, folder.at("linked"));
    for (const name of SWAPPED) folder.write(`swapped/${name}.md`, NOTE);
    folder.write("swapped/folder/inside.md", NOTE);
    await indexOnce(folder.path);
    engine = openEngine({
      root: { named: folder.path, mayUseCwd: false },
      configFile: undefined,
      environment: { variables: { HOME: outside.path }, cwd: folder.path, platform: process.platform },
      embedder: new HashEmbedder(),
    });
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    client = new Client({ name: "test", version: "1" });
    const server = createServer({ engine, reportBug: (text) => bugs.push(text) });
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  });
  afterAll(async () => {
    await client.close();
    await engine.close();
    folder[Symbol.dispose]();
    outside[Symbol.dispose]();
  });

  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })) as CallToolResult;

  /** Everything a client is told by an answer that has to be a refusal. */
  const refusalOf = async (name: string, input: Record<string, unknown>) => {
    const result = await call(name, input);
    expect(result.isError).toBe(true);
    return JSON.stringify(result);
  };
  const refusedResource = (uri: string) =>
    client.readResource({ uri }).then(
      (answer) => JSON.stringify(["was read", answer]),
      (error: Error & { code?: number }) => `${error.code}: ${error.message}`,
    );
  const expectNeutral = (told: string) => {
    expect(told).not.toContain(SECRET);
    expect(told).not.toContain(folder.path);
    expect(told).not.toMatch(/\bat .*\.ts:\d+/);
    expect(bugs).toEqual([]);
  };

  const forms = escapeForms(folder.path, secretFile);

  test("has more than sixty forms to refuse", () => {
    expect(new Set(forms).size).toBeGreaterThan(60);
  });

  test.each(forms)("refuses %j through every tool and resource", async (path) => {
    expectNeutral(await refusalOf("get_document", { path }));
    expectNeutral(await refusalOf("get_document", { path, heading: "Secret" }));
    expectNeutral(await refusalOf("get_best_practice", { target: path }));
    for (const uri of [documentUri(path), `kb://doc/${path}`]) {
      const told = await refusedResource(uri);
      if (told.includes("was read")) expect([uri, parsed(uri)]).toEqual([uri, "ops/backups.md"]);
      else expect(told).toMatch(/^-32002: /);
      expectNeutral(told);
    }
  });

  test("reads the very document that is indexed, through all of them", async () => {
    expect((await call("get_document", { path: "ops/backups.md" })).structuredContent?.["content"]).toContain(
      "nightly",
    );
    expect((await call("get_best_practice", { target: "backups" })).structuredContent).toMatchObject({
      path: "ops/backups.md",
      content: NOTE.trimEnd(),
    });
    expect((await client.readResource({ uri: "kb://doc/ops/backups.md" })).contents[0]).toMatchObject({
      mimeType: "text/markdown",
    });
  });

  const swaps: Record<(typeof SWAPPED)[number], (file: string) => void> = {
    link: (file) => symlinkSync(secretFile, file),
    "hard-link": (file) => linkSync(secretFile, file),
    fifo: (file) => void Bun.spawnSync(["mkfifo", file]),
    device: (file) => symlinkSync("/dev/zero", file),
    directory: (file) => mkdirSync(file),
    gone: () => {},
  };

  test.each(SWAPPED)("refuses what was put in a document's place: %s", async (name) => {
    const path = `swapped/${name}.md`;
    rmSync(folder.at(path));
    swaps[name](folder.at(path));
    expectNeutral(await refusalOf("get_document", { path }));
    expectNeutral(await refusalOf("get_best_practice", { target: path }));
    expectNeutral(await refusedResource(documentUri(path)));
  });

  test("refuses a document whose folder was replaced by a link", async () => {
    outside.write("inside.md", SECRET);
    renameSync(folder.at("swapped/folder"), folder.at("swapped/folder-before"));
    symlinkSync(outside.path, folder.at("swapped/folder"));
    expectNeutral(await refusalOf("get_document", { path: "swapped/folder/inside.md" }));
    expectNeutral(await refusedResource("kb://doc/swapped/folder/inside.md"));
  });
});

/** What a URI names that is written in another way. */
function parsed(uri: string): string {
  return decodeURIComponent(uri.slice("kb://doc/".length));
}
