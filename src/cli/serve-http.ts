/**
 * `kb serve --transport http`: from options and settings to a listening server, until it is told to end.
 *
 * Beyond this machine there is no listening without a token. The server itself is in `mcp/http`.
 */
import { resolve } from "node:path";
import {
  type BindAddress,
  formatAddress,
  isLoopback,
  parseBindAddress,
  parsePort,
} from "../config/bind-address.ts";
import type { Config } from "../config/schema.ts";
import { readTokenFile } from "../config/token-file.ts";
import type { Engine } from "../engine/engine.ts";
import { indexFigures } from "../engine/index-figures.ts";
import { AppError, EXIT } from "../errors.ts";
import { CallGuard } from "../mcp/http/call-guard.ts";
import {
  defaultHosts,
  defaultOrigins,
  type GatePolicy,
  parseHostRule,
  parseOrigin,
} from "../mcp/http/gate.ts";
import { startHttpServer } from "../mcp/http/http-server.ts";
import { type Gauge, Metrics } from "../mcp/http/metrics.ts";
import { createServer } from "../mcp/server.ts";
import type { CommandContext } from "./command.ts";
import { openCommandEngine } from "./command-engine.ts";
import { offeredTools } from "./offered-tools.ts";
import { untilTerminated } from "./termination.ts";

/** @returns The exit code. @throws {AppError} `config` or `busy`: it may not, or cannot, listen there. */
export async function serveOverHttp(context: CommandContext): Promise<number> {
  const { switches } = context.arguments;
  const report = (text: string) => context.output.warn(`kb: ${text}`);
  const metrics = new Metrics();
  const engine = openCommandEngine(context, {
    mayUseCwd: true,
    isServer: true,
    readers: { onStages: (stages) => metrics.noteStages(stages) },
  });
  try {
    const { http } = engine.config;
    const address = addressOf(context, engine.config);
    const secret = secretOf(context, engine.config, address, report);
    const guard = new CallGuard(
      { maxCalls: http.max_calls, deadlineMs: http.deadline_seconds * 1000 },
      metrics,
    );
    const tools = offeredTools(context, engine.config);
    const server = startHttpServer({
      address,
      policyOf: (port) => policyOf(engine.config, { host: address.host, port }, report),
      secret,
      isHealthPublic: http.healthz_public,
      maxSessions: http.max_sessions,
      sessionIdleMs: http.session_idle_minutes * 60_000,
      bodyMs: http.body_seconds * 1000,
      guard,
      metrics,
      gauges: () => gaugesOf(engine),
      createServer: () => createServer({ engine, reportBug: report, guard, ...tools }),
      report,
    });
    const terminated = untilTerminated();
    report(
      `ready: MCP at http://${formatAddress(server.address)}/mcp, listening on ${formatAddress(server.address)}`,
    );
    if (switches.get("index") ?? true) engine.keepUpToDate(0, report);
    await terminated;
    await server.stop(GRACE_MS);
    return EXIT.done;
  } finally {
    await engine.close();
  }
}

/** What is in work when the server is told to end gets so long. */
const GRACE_MS = 5000;

function addressOf({ arguments: { values } }: CommandContext, { http }: Config): BindAddress {
  const named = values.get("bind")?.at(-1);
  const address = parseBindAddress(named ?? http.bind, named === undefined ? "http.bind" : "--bind");
  const port = values.get("port")?.at(-1);
  return port === undefined ? address : { ...address, port: parsePort(port) };
}

function secretOf(
  { arguments: { values }, environment }: CommandContext,
  { http }: Config,
  address: BindAddress,
  report: (text: string) => void,
): string | undefined {
  const named = values.get("token-file")?.at(-1);
  const file = named === undefined ? http.token_file : resolve(environment.cwd, named);
  if (file === undefined) {
    if (isLoopback(address.host)) return undefined;
    throw new AppError(
      "config",
      `${formatAddress(address)} can be reached from other machines, and there is no token`,
      {
        hint: `Make one with: kb init --token, and start kb serve with --token-file <file>; or listen on 127.0.0.1:${address.port}.`,
      },
    );
  }
  const { secret, warning } = readTokenFile(file);
  if (warning !== undefined) report(warning);
  return secret;
}

function policyOf({ http }: Config, { host, port }: BindAddress, report: (text: string) => void): GatePolicy {
  const loopbackHost = isLoopback(host) ? host : undefined;
  const { allowed_hosts: hosts, allowed_origins: origins } = http;
  if (loopbackHost === undefined && (hosts ?? []).length === 0)
    report(
      hosts === undefined
        ? "only this machine's own names are allowed as Host; name the others in http.allowed_hosts"
        : "any Host is allowed on an address that others can reach (http.allowed_hosts = [])",
    );
  if (origins?.length === 0) report("any web page may call (http.allowed_origins = [])");
  if (origins === undefined && port === 80)
    report("on port 80 pages of this machine's names may call from any port");
  return {
    hosts:
      hosts?.map((text) => parseHostRule(text) ?? illegal("http.allowed_hosts", text)) ??
      defaultHosts(loopbackHost),
    origins:
      origins?.map((text) => parseOrigin(text) ?? illegal("http.allowed_origins", text)) ??
      defaultOrigins(loopbackHost, port),
  };
}

function illegal(key: string, text: string): never {
  throw new AppError("config", `${key} has an entry that is none: ${JSON.stringify(text)}`, {
    hint: "For example notes.example:443 as a host, https://notes.example as an origin.",
  });
}

function gaugesOf(engine: Engine): Gauge[] {
  const { documents, chunks, vectors, ageSeconds } = indexFigures(engine, Date.now());
  const gauges: Gauge[] = [
    { name: "kb_documents", help: "Documents in the index.", value: documents },
    { name: "kb_chunks", help: "Passages in the index.", value: chunks },
    { name: "kb_vectors_ratio", help: "Share of the passages that have a vector.", value: vectors },
    {
      name: "kb_searches_queued",
      help: "Searches that wait for a reader.",
      value: engine.readers?.queued ?? 0,
    },
  ];
  return ageSeconds === undefined
    ? gauges
    : [
        ...gauges,
        { name: "kb_index_age_seconds", help: "Since the last finished indexing run.", value: ageSeconds },
      ];
}
