/**
 * MCP over a pair of streams: connects, and tells when the client is gone.
 *
 * The streams are the caller's, since who owns stdin and stdout is decided in `cli/`. A
 * message that cannot be used is reported to the owner of the server, and the session goes on.
 */
import { pipeline, type Readable, type Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { limitLines } from "./message-lines.ts";

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Gets what was wrong with a message; for the owner of the server. */
  readonly report: (text: string) => void;
}

/**
 * @returns A promise that is settled once the input has ended or the server was closed.
 * @throws {Error} What writing to `output` failed with.
 */
export async function serveStreams(server: Server, { input, output, report }: Streams): Promise<void> {
  const lines = limitLines(MAX_MESSAGE_BYTES, () =>
    report(`a message of more than ${MAX_MESSAGE_BYTES} bytes came from the client and gets no answer`),
  );
  const gone = new Promise<void>((resolve, reject) => {
    lines.once("end", resolve);
    lines.once("close", resolve);
    output.once("error", reject);
    server.onclose = resolve;
  });
  server.onerror = (error) => {
    report(`a message from the client cannot be used: ${firstLine(error.message)}`);
    // The SDK drops a line that is no JSON; a client that waits for its answer would wait for ever.
    if (error instanceof SyntaxError) output.write(PARSE_ERROR);
  };
  pipeline(input, lines, () => {}); // However it ends, `lines` tells.
  await server.connect(new StdioServerTransport(lines, output));
  await gone;
}

/** Much more than any legal call; the SDK's reader closes the session at 10 MiB. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** As JSON-RPC wants it: without an id, since none could be read. */
const PARSE_ERROR = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } })}\n`;

/** Zod says more than fits a line; what it quotes may be anything. */
function firstLine(message: string): string {
  return message
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim()
    .slice(0, 200);
}
