import { describe, expect, test } from "bun:test";
import {
  defaultHosts,
  defaultOrigins,
  type GatePolicy,
  parseHostRule,
  parseOrigin,
  refuseCaller,
} from "../../../src/mcp/http/gate.ts";

const DEFAULTS: GatePolicy = { hosts: defaultHosts("127.0.0.1"), origins: defaultOrigins("127.0.0.1", 3100) };

describe("refuseCaller", () => {
  const hosts: [host: string | null, status: number | undefined][] = [
    ["localhost:3100", undefined],
    ["LOCALHOST", undefined],
    ["127.0.0.1:9", undefined],
    ["[::1]:3100", undefined],
    ["[::1]", undefined],
    ["evil.example", 403],
    ["localhost.evil.example", 403],
    ["127.0.0.2", 403],
    ["[::2]", 403],
    ["user@localhost", 400],
    ["localhost@evil.example", 400],
    ["[::1", 400],
    ["[]", 400],
    ["[]:80", 400],
    ["[::1]x", 400],
    ["[::1]:", 400],
    ["localhost:99999", 400],
    ["localhost:-1", 400],
    ["localhost:http", 400],
    ["localhost:", 400],
    ["::1", 400],
    ["", 400],
    [null, 400],
    ["local host", 400],
    ["localhost, evil.example", 400],
    ["localhost/", 400],
    ["lôcalhost", 400],
    ["ｌocalhost", 400],
  ];
  test.each(hosts)("answers Host %p with %p", (host, status) => {
    expect(refuseCaller({ host, origin: null }, DEFAULTS)?.status).toBe(status as 400);
  });

  const origins: [origin: string | null, status: number | undefined][] = [
    [null, undefined],
    ["http://localhost:3100", undefined],
    ["HTTP://LOCALHOST:3100", undefined],
    ["http://127.0.0.1:3100", undefined],
    ["http://[::1]:3100", undefined],
    ["http://localhost:3101", 403],
    ["http://localhost", 403],
    ["https://localhost:3100", 403],
    ["https://evil.example", 403],
    ["null", 403],
    ["localhost:3100", 400],
    ["http://", 400],
    ["://localhost", 400],
    ["http://localhost:3100/", 400],
    ["http://evil.example@localhost:3100", 400],
    ["http://lôcalhost:3100", 400],
    ["", 400],
  ];
  test.each(origins)("answers Origin %p with %p", (origin, status) => {
    expect(refuseCaller({ host: "localhost:3100", origin }, DEFAULTS)?.status).toBe(status as 400);
  });

  test("looks at Host before Origin", () => {
    expect(refuseCaller({ host: "evil.example", origin: "nonsense" }, DEFAULTS)).toMatchObject({
      gate: "host",
      status: 403,
    });
  });

  test("takes every well-formed Host, and no other, with an empty list", () => {
    const open: GatePolicy = { hosts: [], origins: [] };
    expect(refuseCaller({ host: "evil.example", origin: "nonsense" }, open)).toBeUndefined();
    expect(refuseCaller({ host: "[::1", origin: null }, open)?.status).toBe(400);
    expect(refuseCaller({ host: null, origin: null }, open)?.status).toBe(400);
  });

  test("lets an origin of null in where the list has it, and nothing else by that", () => {
    const policy: GatePolicy = { hosts: [], origins: ["null"] };
    expect(refuseCaller({ host: "a", origin: "null" }, policy)).toBeUndefined();
    expect(refuseCaller({ host: "a", origin: "http://a" }, policy)?.status).toBe(403);
  });
});

describe("parseHostRule", () => {
  const rows: [text: string, expected: unknown][] = [
    ["Notes.Example", { host: "notes.example", port: undefined }],
    ["notes.example:443", { host: "notes.example", port: 443 }],
    ["::1", { host: "::1", port: undefined }],
    ["[::1]:80", { host: "::1", port: 80 }],
    ["http://notes.example", undefined],
    ["*", undefined],
    ["", undefined],
  ];
  test.each(rows)("reads %p as %p", (text, expected) => {
    expect(parseHostRule(text)).toEqual(expected as never);
  });

  test("makes a port of its own binding, and none fit all", () => {
    const hosts = [parseHostRule("a.example:443")!, parseHostRule("b.example")!];
    const statusOf = (host: string) => refuseCaller({ host, origin: null }, { hosts, origins: [] })?.status;
    expect(["a.example:443", "a.example", "a.example:444", "b.example:1"].map(statusOf)).toEqual([
      undefined,
      403,
      403,
      undefined,
    ]);
  });
});

describe("parseOrigin", () => {
  test("reads scheme, host and port", () => {
    expect(parseOrigin("HTTPS://Notes.Example:8443")).toEqual({
      scheme: "https",
      host: "notes.example",
      port: 8443,
    });
    expect(parseOrigin("notes.example")).toBeUndefined();
  });
});

describe("defaultHosts", () => {
  test("has both spellings of an IPv4 address in IPv6", () => {
    const names = defaultHosts("::ffff:127.0.0.1").map(({ host }) => host);
    expect(names).toEqual(["localhost", "127.0.0.1", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"]);
  });

  test("leaves an address out that others can reach", () => {
    expect(defaultHosts(undefined).map(({ host }) => host)).toEqual(["localhost", "127.0.0.1", "::1"]);
  });
});

describe("defaultOrigins", () => {
  test("has an origin without a port on port 80 only, as browsers write it", () => {
    const statusOf = (port: number) =>
      refuseCaller(
        { host: "localhost", origin: "http://localhost" },
        { hosts: [], origins: defaultOrigins(undefined, port) },
      )?.status;
    expect([statusOf(80), statusOf(3100)]).toEqual([undefined, 403]);
  });
});
