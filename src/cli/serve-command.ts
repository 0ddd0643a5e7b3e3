/**
 * `kb serve`: MCP over stdio, for as long as the client keeps stdin open.
 *
 * The client is answered first; only then is the index brought up to date, in a child
 * process, and again when searches show the need. stdout belongs to the protocol alone.
 */

import { Writable } from "node:stream";
import type { ArgsDef } from "citty";
import { EXIT } from "../errors.ts";
import { createServer } from "../mcp/server.ts";
import { serveStreams } from "../mcp/stdio.ts";
import { claimStandardOutput } from "../native/standard-output.ts";
import type { Command, CommandRun } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { writeAll } from "./output.ts";

const args = {
  index: {
    type: "boolean",
    description: "Bring the index up to date, at the start and when it is stale",
    negativeDescription: "Answer from the index as it is",
  },
} as const satisfies ArgsDef;

const run: CommandRun = async (context) => {
  const {
    arguments: { switches },
    output,
  } = context;
  const engine = openCommandEngine(context, { mayUseCwd: true, isServer: true });
  const descriptor = claimStandardOutput();
  const toClient = new Writable({
    write(part: Buffer | string, _encoding, done) {
      try {
        writeAll(descriptor, part.toString());
        done();
      } catch (thrown) {
        done(thrown as Error);
      }
    },
  });
  const report = (text: string) => output.warn(`kb: ${text}`);
  const server = createServer({ engine, reportBug: report });
  const terminated = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });

  if (switches.get("index") ?? true) engine.keepUpToDate(START_INDEXING_AFTER_MS, report);
  const served = serveStreams(server, { input: process.stdin, output: toClient, report });
  try {
    await Promise.race([served, terminated]);
    return EXIT.done;
  } finally {
    await engine.close();
  }
};

/** Long enough for the client's first two questions to be answered by an undisturbed machine. */
const START_INDEXING_AFTER_MS = 50;

export const command: Command = { args, run };
