import { describe, expect, test } from "bun:test";
import { bearsToken, WrongTokens } from "../../../src/mcp/http/bearer.ts";

const SECRET = "s".repeat(43);

describe("bearsToken", () => {
  const rows: [header: string | null, expected: boolean][] = [
    [`Bearer ${SECRET}`, true],
    [`bearer  ${SECRET}`, true],
    [`Bearer ${SECRET}x`, false],
    [`Bearer ${SECRET.slice(1)}`, false],
    [`Bearer ${SECRET} ${SECRET}`, false],
    [SECRET, false],
    [`Basic ${SECRET}`, false],
    ["Bearer ", false],
    ["", false],
    [null, false],
  ];
  test.each(rows)("takes %p: %p", (header, expected) => {
    expect(bearsToken(header, SECRET)).toBe(expected);
  });
});

describe("WrongTokens", () => {
  test("keeps an address waiting longer each time, up to two seconds, and others not at all", () => {
    const wrong = new WrongTokens();
    const waits = Array.from({ length: 14 }, () => wrong.note("10.0.0.1", 0)!);
    expect(waits.slice(0, 5)).toEqual([0, 0, 0, 40, 80]);
    expect(waits.at(-1)).toBe(2000);
    expect(wrong.note("10.0.0.2", 0)).toBe(0);
  });

  test("forgets after a minute", () => {
    const wrong = new WrongTokens();
    for (let count = 0; count < 9; count++) wrong.note("10.0.0.1", 0);
    expect(wrong.note("10.0.0.1", 60_001)).toBe(0);
  });

  test("turns away at once what would make more than 64 wait", async () => {
    const wrong = new WrongTokens();
    const waiting = Array.from({ length: 64 }, () => wrong.wait(20));
    expect(wrong.note("10.0.0.1", 0)).toBeUndefined();
    await Promise.all(waiting);
    expect(wrong.note("10.0.0.1", 0)).toBe(0);
  });
});
