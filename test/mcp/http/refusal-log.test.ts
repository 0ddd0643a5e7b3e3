import { describe, expect, test } from "bun:test";
import { RefusalLog } from "../../../src/mcp/http/refusal-log.ts";

describe("RefusalLog", () => {
  test("tells of each gate once a minute, and then how many there were", () => {
    const lines: string[] = [];
    let now = 0;
    const log = new RefusalLog(
      (line) => lines.push(line),
      () => now,
    );
    for (let count = 0; count < 500; count++) log.note("host", "this Host is not allowed", "evil.example");
    log.note("token", "the token is missing or wrong", "10.0.0.1");
    now = 60_000;
    log.note("host", "this Host is not allowed", "evil.example");
    expect(lines).toEqual([
      'refused a request: this Host is not allowed ("evil.example")',
      'refused a request: the token is missing or wrong ("10.0.0.1")',
      'refused a request: this Host is not allowed ("evil.example"); 499 more since the last such line',
    ]);
  });

  test("lets nobody write lines of their own, or long ones", () => {
    const lines: string[] = [];
    new RefusalLog((line) => lines.push(line)).note(
      "host",
      "no",
      `a\r\nkb: all is well\u001b[2J${"x".repeat(9999)}`,
    );
    expect(lines[0]).not.toMatch(/[^\x20-\x7e]/);
    expect(lines[0]!.length).toBeLessThan(150);
  });
});
