/**
 * The built-in model as a process of `kb` uses it: asked once, many times, or for passages.
 *
 * In go the environment and what the process is for; out comes an `Embedder`. A server lets
 * a child process embed its questions (`question-process.ts`).
 */
import { homedir } from "node:os";
import type { Environment } from "../../config/paths.ts";
import { parseRuntime } from "../../config/variables.ts";
import type { Embedder } from "../../core/embedder.ts";
import { openBuiltinEmbedder } from "../../embed/builtin-embedder.ts";
import { findCacheFolder } from "../../native/cache-folder.ts";
import { ownCommand } from "../own-command.ts";
import { openQuestionProcess } from "./question-process.ts";

/** The folder that libraries and model are unpacked to. */
export function cacheFolderOf({ variables, platform }: Environment): string {
  return findCacheFolder(variables, platform, homedir());
}

/**
 * The model for a command, which asks once or many times, or for a server, which asks in a child process.
 *
 * @param workers Threads for passages; 0 chooses by the machine.
 * @throws {AppError} `config` for a runtime that does not exist.
 */
export function openOwnEmbedder(
  environment: Environment,
  { isServer, asksMany }: { readonly isServer: boolean; readonly asksMany: boolean },
  workers: number,
): Embedder {
  const embedder = openBuiltinEmbedder({
    cacheFolder: cacheFolderOf(environment),
    runtime: parseRuntime(environment.variables),
    isShortLived: !asksMany,
    // A second thread waits busily for its next question, and so takes time from the statements between two of them.
    ...(asksMany ? { queryThreads: 1 } : {}),
    ...(workers === 0 ? {} : { workers }),
  });
  return isServer ? withQuestionProcess(embedder) : embedder;
}

/** The model in the child process of a server. @throws {AppError} As `openOwnEmbedder`. */
export function openQuestionEmbedder(environment: Environment): Embedder {
  return openBuiltinEmbedder({
    cacheFolder: cacheFolderOf(environment),
    runtime: parseRuntime(environment.variables),
  });
}

function withQuestionProcess(embedder: Embedder): Embedder {
  const questions = openQuestionProcess([...ownCommand(), "embed-questions"]);
  return {
    identity: embedder.identity,
    get runtime() {
      return questions.runtime ?? embedder.runtime;
    },
    findRuntime: () => embedder.findRuntime(),
    unknownShare: (text) => embedder.unknownShare(text),
    countPassageTokens: (text) => embedder.countPassageTokens(text),
    embedQuery: (text) => questions.embed(text),
    embedPassages: (texts) => embedder.embedPassages(texts),
    async close() {
      await questions.close();
      await embedder.close();
    },
  };
}
