import { describe, expect, test } from "bun:test";
import { checkModelApart } from "../../../src/engine/doctor/check-model-apart.ts";
import { Examination } from "../../../src/engine/doctor/examination.ts";

const REPORT = { facts: [{ name: "model", value: "works" }], findings: [] };

async function findingsOf(script: string, wanted?: "native" | "wasm") {
  const examination = new Examination();
  await checkModelApart(examination, {
    command: ["/bin/sh", "-c", script],
    variables: { KB_RUNTIME: wanted },
    wanted,
  });
  return examination;
}

describe.skipIf(process.platform === "win32")("checkModelApart", () => {
  test("takes over what the process found", async () => {
    const { facts, findings } = await findingsOf(`echo '${JSON.stringify(REPORT)}'`);
    expect(facts).toEqual(REPORT.facts);
    expect(findings).toEqual([]);
  });

  test("names the signal that ended the process, and the runtime that works instead", async () => {
    const { facts, findings } = await findingsOf(
      `if [ "$KB_RUNTIME" = wasm ]; then echo '${JSON.stringify(REPORT)}'; else kill -ILL $$; fi`,
    );
    expect(facts).toEqual(REPORT.facts);
    expect(findings).toMatchObject([{ id: "runtime", severity: "error" }]);
    expect(findings[0]!.sentence).toContain("SIGILL");
    expect(findings[0]!.remedy).toContain("KB_RUNTIME=wasm");
  });

  test("finds that no runtime works", async () => {
    const { findings } = await findingsOf("kill -SEGV $$");
    expect(findings).toMatchObject([{ id: "model", severity: "error" }]);
    expect(findings[0]!.sentence).toContain("SIGSEGV");
  });

  test("does not try WebAssembly twice", async () => {
    const { findings } = await findingsOf("exit 70", "wasm");
    expect(findings).toMatchObject([{ id: "model", severity: "error" }]);
    expect(findings[0]!.sentence).toContain("exit code 70");
  });
});
