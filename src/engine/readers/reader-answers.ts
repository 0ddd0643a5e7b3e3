/**
 * The reader's side of `reader-pool.ts`: searches from a stream, answers to another.
 *
 * Ends when the searches do. It has an engine of its own, which opens the index for reading and follows
 * its generations; vectors of questions come from the server.
 */

import type { SearchRequest } from "../../config/request.ts";
import type { Embedder } from "../../core/embedder.ts";
import type { Engine } from "../engine.ts";
import { linesOf } from "../questions/stream-lines.ts";
import { StageTimes } from "../search/stage-times.ts";
import { type FromReader, failureLine, failureOf, type ToReader } from "./reader-lines.ts";

/**
 * @param openWith Opens the engine with the embedder it is given.
 * @param model Knows the tokens; embeds nothing here.
 * @param lines As the server writes them, in parts as they come.
 * @param write Gets one whole line at a time, with its line feed.
 */
export async function answerSearches(
  openWith: (embedder: Embedder) => Engine,
  model: Embedder,
  lines: AsyncIterable<Uint8Array>,
  write: (line: string) => void,
): Promise<void> {
  const send = (message: FromReader) => write(`${JSON.stringify(message)}\n`);
  let asked: PromiseWithResolvers<Float32Array> | undefined;
  let runtime = model.runtime;
  const engine = openWith({
    identity: model.identity,
    get runtime() {
      return runtime;
    },
    findRuntime: () => model.findRuntime(),
    unknownShare: (text) => model.unknownShare(text),
    countPassageTokens: (text) => model.countPassageTokens(text),
    embedQuery(text) {
      asked = Promise.withResolvers();
      send({ embed: text });
      return asked.promise;
    },
    embedPassages: (texts) => model.embedPassages(texts),
    close: () => model.close(),
  });
  try {
    for await (const line of linesOf(lines)) {
      const message = JSON.parse(line) as ToReader;
      if ("search" in message) void answerOne(engine, message.search).then(send);
      else if ("failure" in message) asked?.reject(failureOf(message));
      else {
        runtime = message.runtime;
        asked?.resolve(Float32Array.from(message.vector));
      }
    }
  } finally {
    await engine.close();
  }
}

async function answerOne(engine: Engine, request: SearchRequest): Promise<FromReader> {
  const startedAt = performance.now();
  const times = new StageTimes(() => performance.now() - startedAt);
  let changed: string | undefined;
  try {
    const answer = await engine.search(request, {
      times,
      onChangedDocument: (path) => {
        changed = path;
      },
    });
    return { answer, changed, stages: times.stages };
  } catch (thrown) {
    return failureLine(thrown);
  }
}
