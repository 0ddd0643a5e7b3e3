/**
 * `kb serve`: MCP over stdio, for as long as the client keeps stdin open, or over HTTP (`serve-http.ts`).
 *
 * The client is answered first; only then is the index brought up to date, in a child
 * process, and again whenever the folder changes. stdout belongs to the protocol alone.
 */

import { Writable } from "node:stream";
import type { ArgsDef } from "citty";
import { parseChoice } from "../config/request.ts";
import { AppError, EXIT } from "../errors.ts";
import { createServer } from "../mcp/server.ts";
import { serveStreams } from "../mcp/stdio.ts";
import { claimStandardOutput } from "../native/standard-output.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { offeredTools } from "./offered-tools.ts";
import { writeAll } from "./output.ts";
import { serveOverHttp } from "./serve-http.ts";
import { untilTerminated } from "./termination.ts";

const args = {
  index: {
    type: "boolean",
    description: "Bring the index up to date, at the start and when it is stale",
    negativeDescription: "Answer from the index as it is",
  },
  transport: { type: "string", valueHint: "name", description: "stdio (the default) or http" },
  bind: { type: "string", valueHint: "address:port", description: "Where HTTP listens (127.0.0.1:3100)" },
  port: { type: "string", valueHint: "n", description: "The port alone; 0 lets the system choose" },
  "token-file": {
    type: "string",
    valueHint: "file",
    description: "File with the token that HTTP clients send; kb init --token makes one",
  },
  "read-only": { type: "boolean", description: "Leave out the tools that change something" },
  tools: { type: "string", valueHint: "names", description: "The tools there are, with commas between" },
} as const satisfies ArgsDef;

const run: CommandRun = async (context) => {
  const {
    arguments: { switches, values },
    output,
  } = context;
  const transport = parseChoice(values.get("transport")?.at(-1) ?? "stdio", "--transport", ["stdio", "http"]);
  if (transport === "http") return serveOverHttp(context);
  refuseHttpOptions(values);
  const engine = openCommandEngine(context, { mayUseCwd: true, isServer: true });
  const descriptor = claimStandardOutput();
  const report = (text: string) => output.warn(`kb: ${text}`);
  engine.followSettings(report);
  const isUpkept = switches.get("index") ?? true;
  const toClient = new Writable({
    write(part: Buffer | string, _encoding, done) {
      try {
        writeAll(descriptor, part.toString());
      } catch (thrown) {
        done(thrown as Error);
        return;
      }
      done();
      if (isUpkept) engine.keepUpToDate(START_INDEXING_AFTER_MS, report);
    },
  });
  const server = createServer({ engine, reportBug: report, ...offeredTools(context, engine.config) });
  const served = serveStreams(server, { input: process.stdin, output: toClient, report });
  try {
    await Promise.race([served, untilTerminated()]);
    return EXIT.done;
  } finally {
    await engine.close();
  }
};

/** An option without its transport is a mistake, and here one about who can reach what. */
function refuseHttpOptions(values: ReadonlyMap<string, unknown>): void {
  const name = ["bind", "port", "token-file"].find((option) => values.has(option));
  if (name !== undefined)
    throw new AppError("usage", `--${name} is for HTTP`, {
      hint: `Add it: kb serve --transport http --${name} …`,
    });
}

/** After the first answer; long enough for the next questions to be answered by an undisturbed machine. */
const START_INDEXING_AFTER_MS = 50;

export const command: Command = { args, run };
