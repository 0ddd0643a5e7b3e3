/**
 * The one place that knows both makers of sessions.
 *
 * In go the files of either runtime; out comes a session on the calling thread. Which of
 * them to use is `runtime-choice.ts`.
 */
import { openNativeSession } from "./native-session.ts";
import type { Session, SessionFiles, SessionOptions } from "./session.ts";

/** @throws {AppError} `model` if the runtime does not start or refuses the model. */
export async function openSession(files: SessionFiles, options: SessionOptions): Promise<Session> {
  if (files.runtime === "native") return openNativeSession(files, options);
  // Imported only here, so that nothing else pays for it.
  const { openWasmSession } = await import("./wasm-session.ts");
  return openWasmSession(files);
}

/**
 * The same files, with what several threads can have in common made once.
 *
 * @throws {AppError} `model` if the runtime's own file is refused.
 */
export async function shareSessionFiles(files: SessionFiles): Promise<SessionFiles> {
  if (files.runtime === "native") return files;
  const { compileRuntime } = await import("./wasm-session.ts");
  return { ...files, module: files.module ?? (await compileRuntime(files.wasmPath)) };
}
