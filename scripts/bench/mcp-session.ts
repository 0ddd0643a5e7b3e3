/**
 * One session of `kb serve` over stdio, spoken in bare JSON-RPC.
 *
 * In go requests, one at a time; out come results and how long each took. A library's own
 * work would be part of every figure, so none is used.
 */
import { readFileSync } from "node:fs";
import type { Workbench } from "./workbench.ts";

interface Timed {
  readonly result: unknown;
  /** From before the request is written until its answer has been parsed. */
  readonly ms: number;
}

/** Memory of a running process, in bytes. */
export interface Memory {
  /** All pages in memory, those of mapped files included. */
  readonly resident: number;
  /** Only what the process has for itself. */
  readonly own: number;
}

export class McpSession {
  /** From before the process is started until `initialize` has been answered. */
  readonly initializeMs: number;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #lines: AsyncGenerator<string>;
  #lastId = 0;

  private constructor(
    child: Bun.Subprocess<"pipe", "pipe", "ignore">,
    lines: AsyncGenerator<string>,
    startedAt: number,
  ) {
    this.#child = child;
    this.#lines = lines;
    this.initializeMs = performance.now() - startedAt;
  }

  /** Starts a server that leaves the index as it is, and opens the session. */
  static async open({ binary, environment, place }: Workbench, root: string): Promise<McpSession> {
    const startedAt = performance.now();
    const child = Bun.spawn([binary, "serve", "--kb", root, "--no-index"], {
      cwd: place,
      env: { ...environment },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    const lines = linesOf(child.stdout);
    send(child, { jsonrpc: "2.0", id: 0, method: "initialize", params: INITIALIZE });
    parseAnswer(await lines.next(), 0);
    const session = new McpSession(child, lines, startedAt);
    send(child, { jsonrpc: "2.0", method: "notifications/initialized" });
    return session;
  }

  /** @throws {Error} If the server answers with an error, or ends. */
  async request(method: string, params: object = {}): Promise<Timed> {
    this.#lastId += 1;
    const startedAt = performance.now();
    send(this.#child, { jsonrpc: "2.0", id: this.#lastId, method, params });
    const result = parseAnswer(await this.#lines.next(), this.#lastId);
    return { result, ms: performance.now() - startedAt };
  }

  /**
   * Milliseconds until the five best passages are there.
   *
   * @throws {Error} If the search failed or was answered without vectors.
   */
  async search(query: string): Promise<number> {
    const { result, ms } = await this.request("tools/call", {
      name: "search",
      arguments: { query, limit: 5 },
    });
    const { isError, structuredContent } = result as SearchResult;
    if (isError === true || structuredContent?.degraded !== undefined)
      throw new Error(`"${query}" was not answered in full: ${JSON.stringify(result).slice(0, 500)}`);
    return ms;
  }

  /** Memory in use now; undefined where the system does not tell. */
  findMemory(): Memory | undefined {
    if (process.platform !== "linux") return undefined;
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    const bytes = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)![1]) * 1024;
    return { resident: bytes("VmRSS"), own: bytes("RssAnon") };
  }

  /** Closes the server's stdin and waits for its end. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#child.exited;
  }
}

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "kb-bench", version: "1.0.0" },
};

interface SearchResult {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly degraded?: string };
}

function send(child: Bun.Subprocess<"pipe", "pipe", "ignore">, message: object): void {
  child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdin.flush();
}

function parseAnswer({ value, done }: IteratorResult<string>, id: number): unknown {
  if (done === true) throw new Error(`kb serve ended before it answered request ${id}`);
  const message = JSON.parse(value) as { readonly id?: number; readonly result?: unknown };
  if (message.id !== id || message.result === undefined)
    throw new Error(`kb serve answered request ${id} with ${value}`);
  return message.result;
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
