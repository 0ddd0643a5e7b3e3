/**
 * MCP over a pair of streams: connects, and tells when the client is gone.
 *
 * The streams are the caller's, since who owns stdin and stdout is decided in `cli/`.
 */
import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

/** @returns A promise that is settled once the input has ended or the server was closed. */
export async function serveStreams(server: Server, input: Readable, output: Writable): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
    input.once("error", () => resolve());
    output.once("error", () => resolve());
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport(input, output));
  await gone;
}
