/**
 * Answers and failures in the form that MCP wants.
 *
 * An `AppError` becomes a tool error with its code and remedy, without the server's own
 * paths; anything else is a bug, told in one neutral sentence, with its stack on stderr.
 */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { visibleLines } from "../core/visible-text.ts";
import { AppError } from "../errors.ts";
import type { ToolAnswer } from "./tool.ts";

export function resultOfAnswer({ structured, text }: ToolAnswer): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: { ...structured } };
}

/**
 * @param withoutPlaces Takes the places of this machine out of a text.
 * @param reportBug Gets the stack of anything that is not an `AppError`.
 */
export function resultOfFailure(
  thrown: unknown,
  withoutPlaces: (text: string) => string,
  reportBug: (text: string) => void,
): CallToolResult {
  const text = thrown instanceof AppError ? failureText(thrown, withoutPlaces) : BUG_TEXT;
  if (!(thrown instanceof AppError)) reportBug(stackOf(thrown));
  return { isError: true, content: [{ type: "text", text }] };
}

/** Code, what happened, and on a line of its own the remedy. */
export function failureText(
  { code, message, hint }: AppError,
  withoutPlaces: (text: string) => string,
): string {
  const remedy = hint === undefined ? "" : `\n${hint}`;
  return visibleLines(withoutPlaces(`${code}: ${message}${remedy}`));
}

/** What a client is told of a bug. */
export const BUG_TEXT = "bug: kb failed in a way it did not expect; its log on stderr has the details.";

export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}
