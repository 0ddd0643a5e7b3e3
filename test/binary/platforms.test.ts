/**
 * Executables made for named platforms, as far as this machine runs them and they are there.
 *
 * `npm run build -- --target linux-x64-baseline` makes one; without any nothing is tested.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { executableName, hostTarget, TARGETS } from "../../scripts/build/targets.ts";
import { BINARY, runJson, runKb } from "../support/run-binary.ts";
import { SAMPLE_FOLDER, TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(180_000);

const host = hostTarget();
const built = TARGETS.filter(
  ({ bunTarget, libc }) => bunTarget.startsWith(host.bunTarget) && libc === host.libc,
).map((target) => join(dirname(BINARY), executableName(target)));

describe.each(built.filter(existsSync))("%s", (executable) => {
  const options = { command: [executable] };

  test("prints its version", async () => {
    expect((await runKb(["--version"], options)).stdout).toStartWith("kb ");
  });

  test("indexes and answers by meaning", async () => {
    using folder = TestFolder.copyOf(SAMPLE_FOLDER);
    const report = await runJson(["index", folder.path], options);
    expect(report.added).toBeGreaterThan(0);
    const question = "what do I do if a thief takes my laptop?";
    const answer = await runJson(["search", question, "--kb", folder.path], options);
    expect(answer.degraded).toBeUndefined();
    expect(answer.results[0].path).toBe("handbook/security.md");
  });
});
