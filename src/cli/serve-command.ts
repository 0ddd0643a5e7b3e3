/**
 * `kb serve`: MCP over stdio, for as long as the client keeps stdin open.
 *
 * The client is answered first; only then is the index brought up to date, in a child
 * process, and again whenever the folder changes. stdout belongs to the protocol alone.
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
  const server = createServer({ engine, reportBug: report });
  const terminated = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  const served = serveStreams(server, { input: process.stdin, output: toClient, report });
  try {
    await Promise.race([served, terminated]);
    return EXIT.done;
  } finally {
    await engine.close();
  }
};

/** After the first answer; long enough for the next questions to be answered by an undisturbed machine. */
const START_INDEXING_AFTER_MS = 50;

export const command: Command = { args, run };
