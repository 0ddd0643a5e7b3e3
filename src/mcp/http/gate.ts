/**
 * Who may call: the headers Host and Origin of a request in, a decision out.
 *
 * This is what keeps a web page from reaching a server on its reader's machine, under a name of
 * its own (DNS rebinding) or from another site. Pure; the token is compared in `bearer.ts`,
 * refusals are told in `refusal-log.ts`.
 */

/** `undefined` as a port fits every port. */
export interface HostRule {
  readonly host: string;
  readonly port: number | undefined;
}

export interface OriginRule extends HostRule {
  readonly scheme: string;
}

export interface GatePolicy {
  /** An empty list takes every well-formed Host. */
  readonly hosts: readonly HostRule[];
  /** An empty list does not look at Origin. */
  readonly origins: readonly (OriginRule | "null")[];
}

/** Headers as they came; null where there is none. */
export interface CallerFacts {
  readonly host: string | null;
  readonly origin: string | null;
}

export interface Refusal {
  readonly gate: "host" | "origin";
  readonly status: 400 | 403;
  readonly reason: string;
}

/** @returns Why the request is refused, Host before Origin; undefined for one that may pass. */
export function refuseCaller(facts: CallerFacts, policy: GatePolicy): Refusal | undefined {
  return refuseHost(facts.host, policy.hosts) ?? refuseOrigin(facts.origin, policy.origins);
}

/** As `refuseCaller`, of Host alone. */
export function refuseHost(header: string | null, rules: readonly HostRule[]): Refusal | undefined {
  const refused = (status: 400 | 403, reason: string): Refusal => ({ gate: "host", status, reason });
  if (header === null || header === "") return refused(400, "there is no Host header");
  if (!isAscii(header)) return refused(400, "the Host header is not ASCII");
  const host = parseAuthority(header);
  if (host === undefined) return refused(400, "the Host header is malformed");
  return rules.length === 0 || rules.some((rule) => fits(rule, host))
    ? undefined
    : refused(403, "this Host is not allowed");
}

/** `host` or `host:port` of a list; IPv6 also without brackets. Undefined for anything else. */
export function parseHostRule(text: string): HostRule | undefined {
  const isBareIpv6 = text.split(":").length > 2 && !text.startsWith("[");
  return parseAuthority(isBareIpv6 ? `[${text}]` : text);
}

/** `scheme://host`, with a port or not, or `null`. Undefined for anything else. */
export function parseOrigin(text: string): OriginRule | "null" | undefined {
  if (text === "null") return text;
  const match = /^([a-z][a-z0-9+.-]*):\/\/(.+)$/i.exec(text);
  const authority = match === null ? undefined : parseAuthority(match[2]!);
  return authority && { ...authority, scheme: match![1]!.toLowerCase() };
}

/** The names of this machine, and the address listened on if it is one of this machine only. */
export function defaultHosts(loopbackHost: string | undefined): HostRule[] {
  return loopbackNames(loopbackHost).map((host) => ({ host, port: undefined }));
}

/** Pages of the server itself. Browsers leave port 80 out, so there the rule without a port is needed. */
export function defaultOrigins(loopbackHost: string | undefined, port: number): OriginRule[] {
  return loopbackNames(loopbackHost).flatMap((host) => {
    const rule = { scheme: "http", host, port };
    return port === 80 ? [rule, { ...rule, port: undefined }] : [rule];
  });
}

function refuseOrigin(header: string | null, rules: GatePolicy["origins"]): Refusal | undefined {
  if (rules.length === 0 || header === null) return undefined;
  const refused = (status: 400 | 403, reason: string): Refusal => ({ gate: "origin", status, reason });
  if (!isAscii(header)) return refused(400, "the Origin header is not ASCII");
  const origin = parseOrigin(header);
  if (origin === undefined) return refused(400, "the Origin header is malformed");
  const isAllowed = rules.some((rule) =>
    rule === "null" || origin === "null"
      ? rule === origin
      : rule.scheme === origin.scheme && fits(rule, origin),
  );
  return isAllowed ? undefined : refused(403, "this Origin is not allowed");
}

function loopbackNames(loopbackHost: string | undefined): string[] {
  const names = ["localhost", "127.0.0.1", "::1"];
  if (loopbackHost === undefined) return names;
  const own = [loopbackHost.toLowerCase()];
  const mapped = /^::ffff:(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(own[0]!);
  if (mapped !== null) {
    const [a, b, c, d] = mapped.slice(1).map(Number) as [number, number, number, number];
    own.push(`::ffff:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`);
  }
  return [...new Set([...names, ...own])];
}

function fits(rule: HostRule, { host, port }: HostRule): boolean {
  return rule.host === host && (rule.port === undefined || rule.port === port);
}

/** Lower case and without brackets. Undefined if it is no `host` or `host:port`. */
function parseAuthority(text: string): HostRule | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i.exec(text);
  if (match === null) return undefined;
  const port = match[3] === undefined ? undefined : Number(match[3]);
  return port !== undefined && port > 65_535
    ? undefined
    : { host: (match[1] ?? match[2])!.toLowerCase(), port };
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}
