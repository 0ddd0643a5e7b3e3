import { describe, expect, test } from "bun:test";
import { formatAddress, isLoopback, parseBindAddress, parsePort } from "../../src/config/bind-address.ts";

describe("parseBindAddress", () => {
  const legal: [text: string, host: string, port: number][] = [
    ["127.0.0.1:3100", "127.0.0.1", 3100],
    ["LOCALHOST:0", "localhost", 0],
    ["[::1]:65535", "::1", 65_535],
    ["0.0.0.0:80", "0.0.0.0", 80],
  ];
  test.each(legal)("reads %s, and writes it again", (text, host, port) => {
    const address = parseBindAddress(text, "--bind");
    expect(address).toEqual({ host, port });
    expect(formatAddress(address)).toBe(text.toLowerCase());
  });

  test.each(["", "3100", "localhost", "::1:3100", "[::1]", "a:65536", "a:b", "http://a:1", "[]:1"])(
    "refuses %p by name",
    (text) => {
      expect(() => parseBindAddress(text, "--bind")).toThrow(`--bind is no address and port: "${text}"`);
    },
  );
});

describe("parsePort", () => {
  test("takes 0 to 65535", () => {
    expect([parsePort("0"), parsePort("65535")]).toEqual([0, 65_535]);
    for (const text of ["", "-1", "65536", "1.5", "http"])
      expect(() => parsePort(text)).toThrow("--port takes");
  });
});

describe("isLoopback", () => {
  const rows: [host: string, expected: boolean][] = [
    ["127.0.0.1", true],
    ["127.255.0.9", true],
    ["localhost", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["::ffff:7f00:1", true],
    ["0.0.0.0", false],
    ["::", false],
    ["10.0.0.1", false],
    ["127.0.0.1.example", false],
    ["localhost.example", false],
    ["::ffff:10.0.0.1", false],
  ];
  test.each(rows)("of %s is %p", (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
