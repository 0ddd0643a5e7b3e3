import { describe, expect, test } from "bun:test";
import type { ArgsDef } from "citty";
import { parseArguments } from "../../src/cli/arguments.ts";
import { AppError } from "../../src/errors.ts";

const DEFINITION = {
  query: { type: "positional" },
  limit: { type: "string", alias: "n" },
  "path-glob": { type: "string" },
  k: { type: "string" },
  kb: { type: "string" },
  "kb-path": { type: "string" },
  vectors: { type: "boolean" },
  quiet: { type: "boolean", alias: "q" },
} as const satisfies ArgsDef;

const parse = (argv: readonly string[], definition: ArgsDef = DEFINITION) =>
  parseArguments(argv, definition, "search");

function failureOf(argv: readonly string[], definition: ArgsDef = DEFINITION): AppError {
  try {
    parse(argv, definition);
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error(`accepted ${JSON.stringify(argv)}`);
}

describe("parseArguments", () => {
  const values: [argv: string[], flag: string, expected: string[] | undefined][] = [
    [["q", "--limit", "5"], "limit", ["5"]],
    [["q", "--limit=5"], "limit", ["5"]],
    [["q", "-n", "5"], "limit", ["5"]],
    [["q", "-n=5"], "limit", ["5"]],
    [["q", "--limit", "-1"], "limit", ["-1"]],
    [["q", "--limit", "--quiet"], "limit", ["--quiet"]],
    [["q", "--limit="], "limit", [""]],
    [["q", "--k", "1,5", "-k", "9"], "k", ["1,5", "9"]],
    [["--path-glob", "a/**", "q", "--path-glob=b=c"], "path-glob", ["a/**", "b=c"]],
    [["q", "--kb-path", "notes"], "kb", ["notes"]],
    [["q", "--kb", "one", "--kb-path", "two"], "kb", ["one", "two"]],
    [["q"], "limit", undefined],
  ];
  test.each(values)("binds values to flags: %j gives %s", (argv, flag, expected) => {
    expect(parse(argv).values.get(flag)).toEqual(expected);
  });

  const switches: [argv: string[], flag: string, expected: boolean | undefined][] = [
    [["q", "--quiet"], "quiet", true],
    [["q", "-q"], "quiet", true],
    [["q", "--no-vectors"], "vectors", false],
    [["q", "--vectors=false"], "vectors", false],
    [["q", "--no-vectors=false"], "vectors", true],
    [["q", "--no-vectors", "--vectors"], "vectors", true],
    [["q"], "vectors", undefined],
  ];
  test.each(switches)("reads switches: %j sets %s", (argv, flag, expected) => {
    expect(parse(argv).switches.get(flag)).toBe(expected);
  });

  const positionals: [argv: string[], expected: string[]][] = [
    [["--quiet", "東京"], ["東京"]],
    [["-"], ["-"]],
    [[""], [""]],
    [["--", "-x"], ["-x"]],
    [["--", "--limit"], ["--limit"]],
    [["--limit", "5", "--", "--"], ["--"]],
  ];
  test.each(positionals)("tells positionals from flags: %j", (argv, expected) => {
    expect(parse(argv).positionals).toEqual(expected);
  });

  test("hands on every value bound and every positional after --", () => {
    const { rawArgs } = parse(["--limit", "-1", "-q", "--no-vectors", "--", "-x"]);
    expect(rawArgs).toEqual(["--limit=-1", "--quiet", "--no-vectors", "--", "-x"]);
  });

  const refused: [argv: string[], message: string][] = [
    [["q", "--limt", "5"], "unknown option --limt. Did you mean --limit?"],
    [["q", "--limt=5"], "unknown option --limt. Did you mean --limit?"],
    [["q", "--frobnicate"], "unknown option --frobnicate."],
    [["q", "--no-limit"], "unknown option --no-limit. Did you mean --limit?"],
    [["q", "--limit"], "--limit needs a value"],
    [["q", "--quiet=maybe"], '--quiet is a switch and takes no value, got "maybe"'],
    [["q", "extra"], 'unexpected argument "extra"'],
    [["--quiet"], "kb search needs QUERY"],
  ];
  test.each(refused)("refuses %j", (argv, message) => {
    const failure = failureOf(argv);
    expect(failure.message).toBe(message);
    expect(failure.code).toBe("usage");
    expect(failure.hint).toBeString();
  });

  test("says how to search for text that begins with a hyphen", () => {
    expect(failureOf(["-東京"]).hint).toBe(
      'To search for text that begins with a hyphen: kb search -- "-東京"',
    );
  });

  test("names the help of the program where there is no command", () => {
    expect(() => parseArguments(["-v"], DEFINITION, "")).toThrow(
      expect.objectContaining({ hint: "See: kb --help" }),
    );
  });

  test("lets an optional positional be absent", () => {
    expect(parse([], { dir: { type: "positional", required: false } }).positionals).toEqual([]);
  });
});
