/**
 * The address a server listens on: `host:port` as text in, its parts out.
 *
 * Whether it may be used without a token is decided in `cli/serve-http.ts`.
 */
import { AppError } from "../errors.ts";

export interface BindAddress {
  /** Without brackets. */
  readonly host: string;
  /** 0 to 65535; 0 lets the system choose. */
  readonly port: number;
}

/** @param source Named in the message. @throws {AppError} `config` for anything that is no `host:port`. */
export function parseBindAddress(text: string, source: string): BindAddress {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@\s]+)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > MAX_PORT)
    throw new AppError("config", `${source} is no address and port: ${JSON.stringify(text)}`, {
      hint: "For example: 127.0.0.1:3100, or [::1]:3100.",
    });
  return { host: (match[1] ?? match[2])!.toLowerCase(), port };
}

/** @throws {AppError} `usage` unless it is a whole number of 0 to 65535. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= MAX_PORT) return port;
  throw new AppError("usage", `--port takes a number of 0 to ${MAX_PORT}, got ${JSON.stringify(text)}`, {
    hint: "For example: --port 3100",
  });
}

/** Whether only this machine can reach it, IPv4 addresses written as IPv6 included. */
export function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host === "::1" ||
    /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(host) ||
    /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/i.test(host)
  );
}

/** As it stands in a URL. */
export function formatAddress({ host, port }: BindAddress): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const MAX_PORT = 65_535;
