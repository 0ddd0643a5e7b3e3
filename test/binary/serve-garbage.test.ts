/** Lines that are no JSON get the answer that the protocol has for them, and the session goes on. */
import { expect, test } from "bun:test";
import { runKb } from "../support/run-binary.ts";
import { TestFolder } from "../support/test-folder.ts";

test("a line that is no JSON is answered with a parse error without an id", async () => {
  using folder = new TestFolder();
  const stdin = 'garbage\n{"broken\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n';
  const { code, stdout } = await runKb(["serve", "--kb", folder.path, "--no-index"], { stdin });
  expect(code).toBe(0);
  const answers = stdout.trimEnd().split("\n");
  const parseError = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "the line is no JSON" } };
  expect(answers.map((line) => JSON.parse(line))).toEqual([
    parseError,
    parseError,
    { jsonrpc: "2.0", id: 7, result: {} },
  ]);
});
