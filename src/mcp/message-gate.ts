/**
 * Lines that are no messages of the protocol, answered before anything else sees them.
 *
 * In go the client's lines, out come those that are JSON-RPC messages; every other one is answered with
 * the error the standard has for it, with its id where it has one. How long a line may be is known
 * to `message-lines.ts`; what a message means is left to the SDK.
 */
import { Transform } from "node:stream";
import { ErrorCode, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";

/**
 * @param answer Gets what to send for a line that is not passed on, as one line of JSON.
 * @param report Told why, for the owner of the server.
 */
export function gateMessages(answer: (line: string) => void, report: (text: string) => void): Transform {
  return new Transform({
    writableObjectMode: true,
    transform(line: Buffer, _encoding, done) {
      const refusal = refusalOf(line.toString("utf8"));
      if (refusal === undefined) this.push(line);
      else if (refusal !== "blank") {
        report(`a message from the client cannot be used: ${refusal.message}`);
        const { code, message, id } = refusal;
        answer(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`);
      }
      done();
    },
  });
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** Null where the message has none that can be used. */
  readonly id: string | number | null;
}

function refusalOf(line: string): Refusal | "blank" | undefined {
  if (line.trim() === "") return "blank";
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { code: ErrorCode.ParseError, message: "the line is no JSON", id: null };
  }
  if (Array.isArray(message))
    return { code: ErrorCode.InvalidRequest, message: "batches are not part of the protocol", id: null };
  if (JSONRPCMessageSchema.safeParse(message).success) return undefined;
  return { code: ErrorCode.InvalidRequest, message: "it is no JSON-RPC 2.0 message", id: idOf(message) };
}

function idOf(message: unknown): string | number | null {
  const id = typeof message === "object" && message !== null ? (message as { id?: unknown }).id : undefined;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}
