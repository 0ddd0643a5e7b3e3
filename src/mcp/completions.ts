/**
 * Completions: what an argument of a prompt, or the path of a document, may go on with.
 *
 * In goes what was typed so far, out come values that begin with it, then ones that contain it.
 */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CompleteRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Engine } from "../engine/engine.ts";
import { listTitles } from "../engine/titles.ts";
import { listTopicNames } from "../engine/topics.ts";
import { AppError } from "../errors.ts";
import { PROMPT_LANGUAGES } from "./prompts.ts";
import { DOCUMENT_TEMPLATE } from "./resource-uri.ts";

/** Answers with nothing for what cannot be completed, and where there is no index. */
export function addCompletions(server: Server, engine: Engine): void {
  server.setRequestHandler(CompleteRequestSchema, ({ params: { ref, argument } }) => {
    const candidates =
      ref.type === "ref/resource"
        ? ref.uri === DOCUMENT_TEMPLATE && argument.name === "path"
          ? pathsOf(engine)
          : []
        : valuesOf(engine, argument.name);
    const fitting = completionsOf(argument.value, candidates);
    return {
      completion: {
        values: fitting.slice(0, MAX_VALUES),
        total: fitting.length,
        hasMore: fitting.length > MAX_VALUES,
      },
    };
  });
}

/** The protocol allows no more. */
const MAX_VALUES = 100;

function valuesOf(engine: Engine, argument: string): readonly string[] {
  if (argument === "language") return PROMPT_LANGUAGES;
  return argument === "topic" ? unlessMissing(() => engine.ask(listTopicNames)) : [];
}

function pathsOf(engine: Engine): readonly string[] {
  return unlessMissing(() => engine.ask((db) => listTitles(db).map(({ path }) => path)));
}

function unlessMissing(list: () => readonly string[]): readonly string[] {
  try {
    return list();
  } catch (thrown) {
    if (thrown instanceof AppError) return [];
    throw thrown;
  }
}

function completionsOf(typed: string, candidates: readonly string[]): string[] {
  const wanted = typed.normalize("NFC").toLowerCase();
  const folded = candidates.map((candidate) => ({ candidate, text: candidate.toLowerCase() }));
  const beginning = folded.filter(({ text }) => text.startsWith(wanted));
  const containing = folded.filter(({ text }) => !text.startsWith(wanted) && text.includes(wanted));
  return [...beginning, ...containing].map(({ candidate }) => candidate);
}
