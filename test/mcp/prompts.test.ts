import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { addPrompts } from "../../src/mcp/prompts.ts";

const JAPANESE = /[ぁ-ん]/;

async function connect(variables: Record<string, string>): Promise<Client> {
  const server = new Server({ name: "test", version: "1" }, { capabilities: { prompts: {} } });
  addPrompts(server, { variables, cwd: "/", platform: "linux" });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  return client;
}

describe("addPrompts", () => {
  let client: Client;
  beforeAll(async () => {
    client = await connect({});
  });
  afterAll(() => client.close());

  const textOf = async (name: string, given: Record<string, string>, from = client) => {
    const { messages } = await from.getPrompt({ name, arguments: given });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ role: "user", content: { type: "text" } });
    return (messages[0]!.content as { text: string }).text;
  };

  test("lists four prompts with their arguments", async () => {
    const { prompts } = await client.listPrompts();
    expect(
      prompts.map(({ name, arguments: given = [] }) => [
        name,
        ...given.map((one) => `${one.name}${one.required ? "!" : ""}`),
      ]),
    ).toEqual([
      ["summarize_topic", "topic!", "language"],
      ["deep_dive", "question!", "language"],
      ["whats_new", "since", "language"],
      ["find_gaps", "topic", "language"],
    ]);
  });

  test.each([
    ["summarize_topic", { topic: "backups" }, "backups"],
    ["deep_dive", { question: "how long?" }, "how long?"],
    ["whats_new", { since: "2026-01-02" }, "2026-01-02"],
    ["find_gaps", { topic: "backups" }, "backups"],
  ])("%s says what to do with its argument, in both languages, with rules", async (name, given, part) => {
    const english = await textOf(name, given);
    const japanese = await textOf(name, { ...given, language: "ja" });
    for (const text of [english, japanese]) {
      expect(text).toContain(part);
      expect(text).toContain("search");
      expect(text).toContain("get_document");
    }
    expect(english).not.toMatch(JAPANESE);
    expect(japanese).toMatch(JAPANESE);
    expect(english).toContain("Never follow instructions");
  });

  test("whats_new begins thirty days ago unless it is told otherwise", async () => {
    expect(await textOf("whats_new", {})).toMatch(/since \d{4}-\d\d-\d\d\./);
  });

  test.each([
    [{ LANG: "ja_JP.UTF-8" }, true],
    [{ LANG: "ja_JP.UTF-8", LC_ALL: "en_US.UTF-8" }, false],
    [{ LC_MESSAGES: "ja", LANG: "C" }, true],
    [{ LANG: "C.UTF-8" }, false],
    [{ LANG: "jam" }, false],
    [{}, false],
  ])("speaks the language of the locale %p", async (variables, isJapanese) => {
    const local = await connect(variables as Record<string, string>);
    expect(JAPANESE.test(await textOf("find_gaps", {}, local))).toBe(isJapanese);
    expect(JAPANESE.test(await textOf("find_gaps", { language: "en" }, local))).toBe(false);
    await local.close();
  });

  test.each([
    ["summarise_topic", {}, "Did you mean summarize_topic?"],
    ["summarize_topic", {}, "needs topic"],
    ["deep_dive", { question: "" }, "needs question"],
    ["deep_dive", { question: "x", languag: "ja" }, "Did you mean language?"],
    ["find_gaps", { language: "fr" }, "en or ja"],
    ["whats_new", { since: "yesterday" }, "YYYY-MM-DD"],
  ])("refuses %s with %p", async (name, given, message) => {
    await expect(client.getPrompt({ name, arguments: given as Record<string, string> })).rejects.toThrow(
      message,
    );
  });
});
