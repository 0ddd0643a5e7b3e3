/**
 * The MCP server as a factory: an engine goes in, a server that can be connected to any transport comes out.
 *
 * Listing tools touches neither index nor model. The transport is chosen elsewhere
 * (`stdio.ts`); each tool lives in its own file; the words for the model are in `texts/`.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ProgressToken,
  type Tool as ToolListing,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { didYouMean } from "../config/nearest.ts";
import type { Engine } from "../engine/engine.ts";
import { AppError } from "../errors.ts";
import { VERSION } from "../version.ts";
import { bestPracticeTool } from "./best-practice-tool.ts";
import { addCompletions } from "./completions.ts";
import { documentTool } from "./document-tool.ts";
import { graphTool } from "./graph-tool.ts";
import type { CallGuard } from "./http/call-guard.ts";
import { placeHider } from "./private-places.ts";
import { addPrompts } from "./prompts.ts";
import { rebuildTool } from "./rebuild-tool.ts";
import { addResources } from "./resources.ts";
import { searchTool } from "./search-tool.ts";
import { SERVER_INSTRUCTIONS } from "./texts/server-instructions.ts";
import { isReadOnly, type Tool } from "./tool.ts";
import { BUG_TEXT, failureText, resultOfAnswer, resultOfFailure, stackOf } from "./tool-result.ts";
import { topicsTool } from "./topics-tool.ts";

/** Every tool, in the order they are listed. */
export const TOOLS: readonly Tool[] = [
  searchTool,
  documentTool,
  topicsTool,
  bestPracticeTool,
  graphTool,
  rebuildTool,
];

export interface ServerDependencies {
  readonly engine: Engine;
  /** Gets the text of a bug; for the owner of the server, never for the client. */
  readonly reportBug: (text: string) => void;
  /** Whether tools that do not only read are left out; they are not if not given. */
  readonly onlyReads?: boolean;
  /** Which tools there are; all if not given. @see parseToolNames */
  readonly toolNames?: ReadonlySet<string> | undefined;
  /** Runs each call, within limits of its own; at once if not given. */
  readonly guard?: Pick<CallGuard, "run"> | undefined;
}

/**
 * The names of an allow list.
 *
 * @param source Named in the message.
 * @throws {AppError} `config` for a name that no tool has.
 */
export function parseToolNames(names: readonly string[], source: string): ReadonlySet<string> {
  const known = TOOLS.map((tool) => tool.name);
  for (const name of names)
    if (!known.includes(name))
      throw new AppError(
        "config",
        `${source} names no tool: ${JSON.stringify(name)}.${didYouMean(name, known)}`,
        { hint: `Tools: ${known.join(", ")}.` },
      );
  return new Set(names);
}

/** A server with all tools, not yet connected. The caller closes server and engine. */
export function createServer(dependencies: ServerDependencies): Server {
  const { engine, reportBug, onlyReads = false, toolNames, guard = UNGUARDED } = dependencies;
  const tools = TOOLS.filter(
    (tool) => (!onlyReads || isReadOnly(tool)) && (toolNames?.has(tool.name) ?? true),
  );
  const withoutPlaces = placeHider(engine);
  const server = new Server(
    { name: "kb", title: "kb: cited answers from a folder of documents", version: VERSION },
    {
      capabilities: {
        tools: {},
        prompts: {},
        resources: { listChanged: true },
        completions: {},
        logging: {},
      },
      instructions: SERVER_INSTRUCTIONS,
    },
  );
  const told = (text: string) => {
    reportBug(text);
    server.sendLoggingMessage({ level: "error", logger: "kb", data: BUG_TEXT }).catch(() => undefined); // nobody listens
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listingOf) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, _meta }) => {
    const tool = tools.find((candidate) => candidate.name === params.name);
    if (tool === undefined) throw unknownTool(params.name, tools);
    try {
      signal.throwIfAborted();
      const reportProgress = progressReporter(server, _meta?.progressToken);
      const maxBytes = engine.config.server.max_answer_bytes;
      const context = { maxBytes, reportProgress, withoutPlaces };
      const call = (until: AbortSignal) =>
        tool.call(engine, params.arguments ?? {}, { ...context, signal: until });
      return resultOfAnswer(await guard.run(tool, signal, call));
    } catch (thrown) {
      if (thrown instanceof McpError) throw thrown;
      return signal.aborted ? CANCELLED : resultOfFailure(thrown, withoutPlaces, told);
    }
  });
  addPrompts(server, engine.environment);
  addCompletions(server, engine);
  addResources(server, engine, (answer) => {
    try {
      return answer();
    } catch (thrown) {
      if (thrown instanceof McpError) throw thrown;
      if (thrown instanceof AppError)
        throw new McpError(ErrorCode.InternalError, failureText(thrown, withoutPlaces));
      told(stackOf(thrown));
      throw new McpError(ErrorCode.InternalError, BUG_TEXT);
    }
  });
  return server;
}

const UNGUARDED: Pick<CallGuard, "run"> = { run: (_tool, signal, call) => call(signal) };

/** Nobody reads it: the client that cancelled gets no answer. */
const CANCELLED: CallToolResult = { isError: true, content: [{ type: "text", text: "cancelled" }] };

/** Sends only what grows, as the protocol wants it. */
function progressReporter(
  server: Server,
  progressToken: ProgressToken | undefined,
): (share: number, message: string) => void {
  let sent = Number.NEGATIVE_INFINITY;
  return (progress, message) => {
    if (progressToken === undefined || progress <= sent) return;
    sent = progress;
    const params = { progressToken, progress, total: 1, message };
    server.notification({ method: "notifications/progress", params }).catch(() => undefined); // the client is gone
  };
}

function listingOf(tool: Tool): ToolListing {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: z.toJSONSchema(tool.input, { io: "input" }) as ToolListing["inputSchema"],
    outputSchema: z.toJSONSchema(tool.output, { io: "output" }) as ToolListing["outputSchema"],
    annotations: {
      title: tool.title,
      readOnlyHint: isReadOnly(tool),
      destructiveHint: tool.effects?.isDestructive ?? false,
      idempotentHint: tool.effects?.isIdempotent ?? true,
      openWorldHint: false,
    },
  };
}

function unknownTool(name: string, tools: readonly Tool[]): McpError {
  const names = tools.map((tool) => tool.name);
  return new McpError(
    ErrorCode.InvalidParams,
    `unknown tool ${JSON.stringify(name.slice(0, 80))}.${didYouMean(name.slice(0, 80), names)} Tools: ${names.join(", ")}.`,
  );
}
