/**
 * Which tools a server offers, as its options and settings say; the options win.
 */
import type { Config } from "../config/schema.ts";
import { parseToolNames, type ServerDependencies } from "../mcp/server.ts";
import type { CommandContext } from "./command.ts";

/** @throws {AppError} `config` for a name that no tool has. */
export function offeredTools(
  { arguments: { switches, values } }: CommandContext,
  { server }: Config,
): Pick<ServerDependencies, "onlyReads" | "toolNames"> {
  const named = values.get("tools")?.flatMap((names) => names.split(",").map((name) => name.trim()));
  const names = named ?? server.tools;
  return {
    onlyReads: switches.get("read-only") ?? server.read_only,
    toolNames: names && parseToolNames(names, named === undefined ? "server.tools" : "--tools"),
  };
}
