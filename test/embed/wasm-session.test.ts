/** The WebAssembly runtime: as the native one, and nothing of it is left lying about. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { chooseRuntime } from "../../src/embed/runtime-choice.ts";
import type { WasmFiles } from "../../src/embed/session.ts";
import { openWasmSession } from "../../src/embed/wasm-session.ts";
import { WASM_RUNTIME } from "../../src/native/wasm-runtime.ts";
import { describeSession } from "../support/session-suite.ts";
import { TestFolder } from "../support/test-folder.ts";

setDefaultTimeout(60_000);

const files = chooseRuntime("/nonexistent", "wasm").files as WasmFiles;

describeSession("openWasmSession", files);

describe("openWasmSession", () => {
  test("leaves the global Worker as it was, also while it starts", async () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, "Worker");
    const { Worker } = globalThis;
    const opening = openWasmSession(files);
    let isOther = false;
    const watch = setInterval(() => {
      isOther ||= globalThis.Worker !== Worker;
    }, 1);
    const session = await opening;
    clearInterval(watch);
    session.close();
    expect(isOther).toBe(false);
    expect(Object.getOwnPropertyDescriptor(globalThis, "Worker")).toEqual(before);
  });

  test("says that the runtime's own file is no such thing", async () => {
    using folder = new TestFolder();
    const wasmPath = folder.write("runtime.wasm", "not a program");
    await expect(openWasmSession({ ...files, wasmPath })).rejects.toMatchObject({ code: "model" });
  });
});

describe("WASM_RUNTIME", () => {
  test("is the file of the pinned package", () => {
    const bytes = readFileSync(WASM_RUNTIME.embeddedPath);
    expect(bytes.length).toBe(WASM_RUNTIME.size);
    expect(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")).toBe(WASM_RUNTIME.sha256);
  });
});
