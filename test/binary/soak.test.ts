/** A quarter of a minute of what `scripts/soak.ts` does for half an hour. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { soak } from "../support/soak.ts";

setDefaultTimeout(240_000);

test("a folder in constant change, with servers and other runs on it, ends with the index of a fresh run", async () => {
  const seed = Math.floor(Math.random() * 1e6);
  const options = { durationMs: 15_000, files: 40, seed, servers: 2, searchers: 3, tell() {} };
  const { problems, counts } = await soak(options);
  expect({ seed, problems }).toEqual({ seed, problems: [] });
  expect(counts["searches over MCP"]).toBeGreaterThan(1);
});
