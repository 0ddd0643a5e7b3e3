import { describe, expect, test } from "bun:test";
import { clientPlace, serverEntry, serverName } from "../../src/config/client-files.ts";
import type { Environment } from "../../src/config/paths.ts";
import { failureOf } from "../support/failure-of.ts";

const linux: Environment = { variables: { HOME: "/home/me" }, cwd: "/work", platform: "linux" };
const mac: Environment = { ...linux, variables: { HOME: "/Users/me" }, platform: "darwin" };

describe("clientPlace", () => {
  test.each([
    ["claude-desktop", linux, "/home/me/.config/Claude/claude_desktop_config.json", "mcpServers"],
    [
      "claude-desktop",
      mac,
      "/Users/me/Library/Application Support/Claude/claude_desktop_config.json",
      "mcpServers",
    ],
    ["claude-code", linux, "/home/me/.claude.json", "mcpServers"],
    ["cursor", linux, "/home/me/.cursor/mcp.json", "mcpServers"],
    ["vscode", linux, "/home/me/.config/Code/User/mcp.json", "servers"],
    ["vscode", mac, "/Users/me/Library/Application Support/Code/User/mcp.json", "servers"],
  ] as const)("knows where %s keeps its servers", (client, environment, file, key) => {
    expect(clientPlace(client, false, environment)).toMatchObject({ file, key });
  });

  test.each([
    ["claude-code", "/work/.mcp.json"],
    ["cursor", "/work/.cursor/mcp.json"],
    ["vscode", "/work/.vscode/mcp.json"],
  ] as const)("knows the file of a project of %s", (client, file) => {
    expect(clientPlace(client, true, linux).file).toBe(file);
  });

  test("follows APPDATA on Windows and XDG_CONFIG_HOME elsewhere", () => {
    const variables = {
      HOME: "/home/me",
      XDG_CONFIG_HOME: "/etc/mine",
      APPDATA: "/appdata",
      USERPROFILE: "/users/me",
    };
    expect(clientPlace("vscode", false, { ...linux, variables }).file).toBe("/etc/mine/Code/User/mcp.json");
    const windows: Environment = { ...linux, variables, platform: "win32" };
    expect(clientPlace("claude-desktop", false, windows).file).toBe(
      "/appdata/Claude/claude_desktop_config.json",
    );
  });

  test("refuses what a client does not have", async () => {
    expect((await failureOf(() => clientPlace("claude-desktop", true, linux))).code).toBe("usage");
    expect((await failureOf(() => clientPlace("cursor", false, { ...linux, variables: {} }))).code).toBe(
      "config",
    );
  });
});

describe("serverEntry", () => {
  test("starts this very program on that folder", () => {
    expect(serverEntry("cursor", ["/bin/kb"], "/notes")).toEqual({
      command: "/bin/kb",
      args: ["serve", "--kb", "/notes"],
    });
    expect(serverEntry("vscode", ["bun", "main.ts"], "/notes")).toEqual({
      type: "stdio",
      command: "bun",
      args: ["main.ts", "serve", "--kb", "/notes"],
    });
  });
});

describe("serverName", () => {
  test.each([
    ["notes", "notes"],
    ["My Notes (2)", "My-Notes-2"],
    ["ノート", "kb"],
    ["", "kb"],
  ])("makes of %j %j", (folder, name) => {
    expect(serverName(folder)).toBe(name);
  });
});
