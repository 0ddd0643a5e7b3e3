/**
 * Sessions of MCP over HTTP: opened by `initialize`, found by their id, ended by the client or by time.
 *
 * There are never more than allowed; seats are taken before the first await. A session with an open
 * stream is in use. A call outside of any session gets a server of its own for as long as it takes.
 */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createEventStore } from "./event-store.ts";
import { observeEnd } from "./observed-response.ts";

export interface SessionsOptions {
  /** 0 sets no limit. */
  readonly maxSessions: number;
  readonly idleMs: number;
  readonly createServer: () => Server;
  /** Milliseconds; never goes back. */
  readonly now: () => number;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeper: Timer;
  #opening = 0;

  constructor(options: SessionsOptions) {
    this.#options = options;
    const sweepMs = Math.max(MIN_SWEEP_MS, Math.min(MAX_SWEEP_MS, options.idleMs / 2));
    this.#sweeper = setInterval(() => this.#endIdle(), sweepMs);
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** @returns The answer to `initialize`; undefined if there is no seat. */
  async open(request: Request, body: unknown): Promise<Response | undefined> {
    const { maxSessions, createServer } = this.#options;
    if (maxSessions > 0 && this.#sessions.size + this.#opening >= maxSessions) return undefined;
    this.#opening++;
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { server, transport, usedAt: this.#options.now(), inUse: 0 });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
      eventStore: createEventStore(),
    });
    try {
      await server.connect(transport);
      const response = await transport.handleRequest(request, { parsedBody: body });
      if (transport.sessionId === undefined) await server.close();
      return response;
    } finally {
      this.#opening--;
    }
  }

  /** @returns The answer to a request of a session; undefined if there is no such session. */
  async answer(id: string, request: Request, body: unknown): Promise<Response | undefined> {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    session.inUse++;
    const release = () => {
      session.inUse--;
      session.usedAt = this.#options.now();
    };
    try {
      const response = await session.transport.handleRequest(
        request,
        body === undefined ? {} : { parsedBody: body },
      );
      return observeEnd(response, release);
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** A call outside of any session, answered as JSON. A client that goes away cancels it. */
  async answerOnce(request: Request, body: unknown): Promise<Response> {
    const server = this.#options.createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const gone = Promise.withResolvers<Response>();
    request.signal.addEventListener("abort", () => gone.resolve(new Response(null, { status: 499 })));
    try {
      await server.connect(transport);
      return await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone.promise]);
    } finally {
      await server.close();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map(({ server }) => server.close()));
  }

  #endIdle(): void {
    const now = this.#options.now();
    for (const [id, { server, usedAt, inUse }] of this.#sessions) {
      if (inUse > 0 || now - usedAt < this.#options.idleMs) continue;
      this.#sessions.delete(id);
      void server.close();
    }
  }
}

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  /** Requests not yet answered to their end, and open streams. */
  inUse: number;
}

const MIN_SWEEP_MS = 100;
const MAX_SWEEP_MS = 30_000;
