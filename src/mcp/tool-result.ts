/**
 * Answers and failures in the form that MCP wants.
 *
 * An `AppError` becomes a tool error with its code and remedy, without the server's own
 * paths; anything else is a bug, told in one neutral sentence, with its stack on stderr.
 */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "../errors.ts";
import type { ToolAnswer } from "./tool.ts";

export function resultOfAnswer({ structured, text }: ToolAnswer): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: { ...structured } };
}

/**
 * @param root Of the documents; an agent learns of it only as "the folder".
 * @param reportBug Gets the stack of anything that is not an `AppError`.
 */
export function resultOfFailure(
  thrown: unknown,
  root: string,
  reportBug: (text: string) => void,
): CallToolResult {
  if (thrown instanceof AppError) {
    const hint = thrown.hint === undefined ? "" : `\n${thrown.hint}`;
    const text = `${thrown.code}: ${thrown.message}${hint}`.replaceAll(root, "the folder");
    return { isError: true, content: [{ type: "text", text }] };
  }
  reportBug(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  return {
    isError: true,
    content: [
      { type: "text", text: "bug: kb failed in a way it did not expect; its log on stderr has the details." },
    ],
  };
}
