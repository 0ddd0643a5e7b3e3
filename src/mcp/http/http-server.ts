/**
 * MCP over Streamable HTTP: listens, lets in who may come in, and routes.
 *
 * Routes are `/mcp`, `/healthz` and `/metrics`. The order of the gates is Host, Origin, token, then
 * size, seats and calls; each is decided in a file of its own beside this one. What is served is decided by
 * the factory of servers that goes in; out comes something to stop.
 */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { BindAddress } from "../../config/bind-address.ts";
import { AppError, messageOf } from "../../errors.ts";
import { bearsToken, WrongTokens } from "./bearer.ts";
import type { CallGuard } from "./call-guard.ts";
import { type GatePolicy, refuseCaller, refuseHost } from "./gate.ts";
import type { Gauge, Metrics } from "./metrics.ts";
import { RefusalLog } from "./refusal-log.ts";
import { readBody } from "./request-body.ts";
import { corsHeaders, protocolError, refusal, SAFETY_HEADERS } from "./responses.ts";
import { Sessions } from "./sessions.ts";

export interface HttpServerOptions {
  readonly address: BindAddress;
  /** @param port The one really listened on. */
  readonly policyOf: (port: number) => GatePolicy;
  /** What clients have to send; undefined lets everybody in who passes the gates. */
  readonly secret: string | undefined;
  readonly isHealthPublic: boolean;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
  readonly bodyMs: number;
  readonly guard: CallGuard;
  readonly metrics: Metrics;
  /** What else is told in `/metrics`. */
  readonly gauges: () => readonly Gauge[];
  readonly createServer: () => Server;
  /** For the owner of the server. */
  readonly report: (text: string) => void;
}

export interface RunningServer {
  readonly address: BindAddress;
  /** Lets what is in work be answered for at most `graceMs`, then ends it. */
  stop(graceMs: number): Promise<void>;
}

/** @throws {AppError} `busy` if somebody listens there; `config` if the address cannot be used. */
export function startHttpServer(options: HttpServerOptions): RunningServer {
  const { guard, metrics } = options;
  const now = () => performance.now();
  const { createServer, maxSessions, sessionIdleMs: idleMs } = options;
  const sessions = new Sessions({ maxSessions, idleMs, createServer, now });
  const refusals = new RefusalLog(options.report);
  const wrongTokens = new WrongTokens();
  let isStopping = false;
  let policy: GatePolicy = { hosts: [], origins: [] };

  const refuse = (gate: string, status: number, reason: string, sent: string, headers = {}) => {
    metrics.noteRefusal(gate);
    refusals.note(gate, reason, sent);
    return refusal(status, reason, headers);
  };

  const answer = async (request: Request, route: string, listener: Listener): Promise<Response> => {
    const host = request.headers.get("host");
    if (route === "/healthz") {
      const refused = options.isHealthPublic ? undefined : refuseHost(host, policy.hosts);
      if (refused !== undefined) return refuse("host", refused.status, refused.reason, host ?? "");
      return new Response("ok\n", { headers: { "Content-Type": "text/plain; charset=utf-8" } });
    }
    const origin = request.headers.get("origin");
    const refused = refuseCaller({ host, origin }, policy);
    if (refused !== undefined) {
      const sent = refused.gate === "host" ? host : origin;
      return refuse(refused.gate, refused.status, refused.reason, sent ?? "");
    }
    // A browser asks before it sends, and then without the token.
    if (request.method === "OPTIONS" && origin !== null && policy.origins.length > 0)
      return new Response(null, { status: 204 });
    if (options.secret !== undefined && !bearsToken(request.headers.get("authorization"), options.secret)) {
      const address = listener.requestIP(request)?.address ?? "";
      const waitMs = wrongTokens.note(address, now());
      if (waitMs === undefined)
        return refuse("token", 429, "too many wrong tokens", address, { "Retry-After": "60" });
      await wrongTokens.wait(waitMs);
      return refuse("token", 401, "the token is missing or wrong", address, { "WWW-Authenticate": "Bearer" });
    }
    if (isStopping) return refusal(503, "the server is stopping", { "Retry-After": "5" });
    if (route === "/metrics") {
      const state = [
        { name: "kb_sessions", help: "Open sessions.", value: sessions.size },
        { name: "kb_calls_in_flight", help: "Calls being worked on or waiting.", value: guard.inFlight },
      ];
      return new Response(metrics.text([...state, ...options.gauges()]), {
        headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" },
      });
    }
    if (route !== "/mcp") return refusal(404, "there is nothing here; MCP is at /mcp");
    const response = await answerMcp(request, listener);
    // The connection goes on to be watched. A stream says something every 15 s.
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    listener.timeout(request, isStream ? STREAM_SECONDS : IDLE_SECONDS);
    return response;
  };

  const answerMcp = async (request: Request, listener: Listener): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    let body: unknown;
    if (request.method === "POST") {
      const read = await readBody(request, options.bodyMs);
      if (read.kind === "refused") {
        metrics.noteRefusal("body");
        const code = read.status === 400 ? PARSE_ERROR : INVALID_REQUEST;
        return protocolError(
          read.status,
          code,
          read.reason,
          read.status === 400 ? {} : { Connection: "close" },
        );
      }
      body = read.value;
      if (Array.isArray(body))
        return protocolError(400, INVALID_REQUEST, "batches are not part of the protocol");
      if (guard.isFull && callsTool(body)) {
        metrics.noteRefusal("calls");
        return protocolError(503, SERVER_ERROR, "too many calls at a time", { "Retry-After": "1" });
      }
    }
    listener.timeout(request, 0); // From here on deadlines of our own count.
    if (id !== null)
      return (
        (await sessions.answer(id, request, body)) ??
        protocolError(404, SESSION_NOT_FOUND, "Session not found")
      );
    if (request.method !== "POST")
      return protocolError(
        request.method === "GET" || request.method === "DELETE" ? 400 : 405,
        SERVER_ERROR,
        "Mcp-Session-Id is missing; a session begins with a POST of initialize",
        { Allow: "GET, POST, DELETE" },
      );
    if (!isInitialize(body)) return sessions.answerOnce(request, body);
    const opened = await sessions.open(request, body);
    if (opened !== undefined) return opened;
    return refuse("sessions", 429, `there are ${maxSessions} sessions already`, "", { "Retry-After": "30" });
  };

  const listener = listen(options.address, async (request, self) => {
    const path = pathOf(request.url);
    const route = ROUTES.has(path) ? path : "other";
    let response: Response;
    try {
      response = await answer(request, route, self);
    } catch (thrown) {
      options.report(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
      response = refusal(500, "kb failed in a way it did not expect; its log on stderr has the details");
    }
    for (const [name, value] of Object.entries(SAFETY_HEADERS)) response.headers.set(name, value);
    const origin = request.headers.get("origin");
    if (origin !== null && policy.origins.length > 0 && response.status !== 400 && response.status !== 403)
      for (const [name, value] of Object.entries(corsHeaders(origin))) response.headers.set(name, value);
    metrics.noteRequest(route, response.status);
    return response;
  });
  const port = listener.port ?? options.address.port;
  policy = options.policyOf(port);

  return {
    address: { host: options.address.host, port },
    async stop(graceMs) {
      isStopping = true;
      const stopAt = now() + graceMs;
      while (guard.inFlight > 0 && now() < stopAt) await Bun.sleep(10);
      await sessions.close();
      await Promise.race([listener.stop(false), Bun.sleep(Math.max(100, stopAt - now()))]);
      await listener.stop(true);
    },
  };
}

type Listener = ReturnType<typeof Bun.serve>;

const ROUTES: ReadonlySet<string> = new Set(["/mcp", "/healthz", "/metrics"]);
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SERVER_ERROR = -32_000;
const SESSION_NOT_FOUND = -32_001;

/** Of a connection on which nothing comes, and of headers that do not end; in seconds. */
const IDLE_SECONDS = 10;
/** Of a stream whose client takes nothing any more. */
const STREAM_SECONDS = 60;

function listen(
  { host, port }: BindAddress,
  answer: (request: Request, listener: Listener) => Promise<Response>,
): Listener {
  try {
    return Bun.serve({
      hostname: host,
      port,
      idleTimeout: IDLE_SECONDS,
      fetch: answer,
      development: false, // or a failure would be answered with a page that shows the source
      reusePort: false, // said, since it is true without development: another program could share the port
    });
  } catch (cause) {
    const place = `${host}:${port}`;
    if ((cause as NodeJS.ErrnoException).code === "EADDRINUSE")
      throw new AppError("busy", `another program listens on ${place}`, {
        hint: "End it, or choose another port: kb serve --transport http --port 0",
        cause,
      });
    throw new AppError("config", `cannot listen on ${place}: ${messageOf(cause)}`, {
      hint: "Choose an address of this machine: kb serve --transport http --bind 127.0.0.1:3100",
      cause,
    });
  }
}

/** Also of a URL whose host is nonsense. */
function pathOf(url: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] ?? "";
}

function isInitialize(body: unknown): boolean {
  return methodOf(body) === "initialize";
}

/** What else comes is quick, and cancelling must be possible at any time. */
function callsTool(body: unknown): boolean {
  return methodOf(body) === "tools/call";
}

function methodOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "method" in body ? body.method : undefined;
}
