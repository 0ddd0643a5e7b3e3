/**
 * The MCP server as a factory: an engine goes in, a server that can be connected to any transport comes out.
 *
 * Listing tools touches neither index nor model. The transport is chosen elsewhere
 * (`stdio.ts`); each tool lives in its own file; the words for the model are in `texts/`.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as ToolListing,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { didYouMean } from "../config/nearest.ts";
import type { Engine } from "../engine/engine.ts";
import { VERSION } from "../version.ts";
import { documentTool } from "./document-tool.ts";
import { graphTool } from "./graph-tool.ts";
import { searchTool } from "./search-tool.ts";
import { SERVER_INSTRUCTIONS } from "./texts/server-instructions.ts";
import type { Tool } from "./tool.ts";
import { resultOfAnswer, resultOfFailure } from "./tool-result.ts";

/** Every tool, in the order they are listed. */
export const TOOLS: readonly Tool[] = [searchTool, documentTool, graphTool];

export interface ServerDependencies {
  readonly engine: Engine;
  /** Gets the text of a bug; for the owner of the server, never for the client. */
  readonly reportBug: (text: string) => void;
}

/** A server with all tools, not yet connected. The caller closes server and engine. */
export function createServer({ engine, reportBug }: ServerDependencies): Server {
  const server = new Server(
    { name: "kb", title: "kb: cited answers from a folder of documents", version: VERSION },
    { capabilities: { tools: {} }, instructions: SERVER_INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(listingOf) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find((candidate) => candidate.name === params.name);
    if (tool === undefined) throw unknownTool(params.name);
    try {
      return resultOfAnswer(await tool.call(engine, params.arguments ?? {}));
    } catch (thrown) {
      return resultOfFailure(thrown, engine.root, reportBug);
    }
  });
  return server;
}

function listingOf(tool: Tool): ToolListing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: z.toJSONSchema(tool.input, { io: "input" }) as ToolListing["inputSchema"],
    outputSchema: z.toJSONSchema(tool.output, { io: "output" }) as ToolListing["outputSchema"],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
}

function unknownTool(name: string): McpError {
  const names = TOOLS.map((tool) => tool.name);
  return new McpError(
    ErrorCode.InvalidParams,
    `unknown tool ${JSON.stringify(name)}.${didYouMean(name, names)} Tools: ${names.join(", ")}.`,
  );
}
