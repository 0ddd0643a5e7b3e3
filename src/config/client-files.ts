/**
 * MCP clients: where each keeps its servers, and what an entry looks like there.
 *
 * In go a client and the environment, out comes the place. Editing the file is done in
 * `json-edit.ts`, writing it in `cli/init-command.ts`.
 */
import { join } from "node:path";
import { AppError } from "../errors.ts";
import { type Environment, userHomeDir } from "./paths.ts";

export const CLIENTS = ["claude-desktop", "claude-code", "cursor", "vscode"] as const;
export type ClientName = (typeof CLIENTS)[number];

export interface ClientPlace {
  readonly file: string;
  /** Name of the object that holds the servers. */
  readonly key: string;
  /** How the client learns of the change. */
  readonly advice: string;
}

export interface ServerEntry {
  readonly type?: "stdio";
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * @param isProject Whether the file of the project in the working directory is meant, not the user's own.
 * @throws {AppError} `usage` for a client that has no such file; `config` where the environment names no home.
 */
export function clientPlace(client: ClientName, isProject: boolean, environment: Environment): ClientPlace {
  const { file, key, advice } = PLACES[client];
  if (isProject) {
    const inProject = PROJECT_FILES[client];
    if (inProject === undefined)
      throw new AppError("usage", `${client} has no configuration of a project`, {
        hint: "Leave --project away to write the user's own configuration.",
      });
    return { file: join(environment.cwd, inProject), key, advice };
  }
  const home = userHomeDir(environment);
  if (home === undefined)
    throw new AppError("config", "there is no home folder to find the client's configuration in", {
      hint: "Set HOME, or print the entry with --print.",
    });
  return { file: file(home, environment), key, advice };
}

/** As the client wants it. */
export function serverEntry(client: ClientName, command: readonly string[], root: string): ServerEntry {
  const [program = "kb", ...first] = command;
  const entry = { command: program, args: [...first, "serve", "--kb", root] };
  return client === "claude-code" || client === "vscode" ? { type: "stdio", ...entry } : entry;
}

/** A name for the server of one folder; clients take letters, digits, `-` and `_`. */
export function serverName(folderName: string): string {
  const name = folderName.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  return name === "" ? "kb" : name;
}

interface UserPlace {
  readonly file: (home: string, environment: Environment) => string;
  readonly key: string;
  readonly advice: string;
}

const PLACES: Readonly<Record<ClientName, UserPlace>> = {
  "claude-desktop": {
    file: (home, environment) =>
      join(applicationFolder(home, environment), "Claude", "claude_desktop_config.json"),
    key: "mcpServers",
    advice: "Quit Claude Desktop and start it again.",
  },
  "claude-code": {
    file: (home) => join(home, ".claude.json"),
    key: "mcpServers",
    advice: "Start a new session; /mcp there shows the server.",
  },
  cursor: {
    file: (home) => join(home, ".cursor", "mcp.json"),
    key: "mcpServers",
    advice: "Cursor's settings show the server under MCP.",
  },
  vscode: {
    file: (home, environment) => join(applicationFolder(home, environment), "Code", "User", "mcp.json"),
    key: "servers",
    advice: "The command “MCP: List Servers” shows the server.",
  },
};

const PROJECT_FILES: Readonly<Record<ClientName, string | undefined>> = {
  "claude-desktop": undefined,
  "claude-code": ".mcp.json",
  cursor: join(".cursor", "mcp.json"),
  vscode: join(".vscode", "mcp.json"),
};

/** Where programs keep their settings. */
function applicationFolder(home: string, { variables, platform }: Environment): string {
  if (platform === "win32") return nonEmpty(variables["APPDATA"]) ?? join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return nonEmpty(variables["XDG_CONFIG_HOME"]) ?? join(home, ".config");
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
