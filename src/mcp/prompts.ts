/**
 * Prompts: four ways to work with the documents, for a person to pick in a client.
 *
 * In go a name and arguments, out comes one message in English or Japanese. The words are in `texts/`.
 */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { didYouMean } from "../config/nearest.ts";
import { type Environment, preferredLanguage } from "../config/paths.ts";
import { PROMPT_TEXTS, type PromptArguments } from "./texts/prompt-texts.ts";
import { PROMPT_TEXTS_JA } from "./texts/prompt-texts-ja.ts";

/** The first is used where nothing says otherwise. */
export const PROMPT_LANGUAGES = ["en", "ja"] as const;

/** @param environment Its locale chooses the language where the argument `language` does not. */
export function addPrompts(server: Server, environment: Environment): void {
  const standing = preferredLanguage(environment) === "ja" ? "ja" : "en";
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: PROMPTS.map(({ name, title, description, parameters }) => ({
      name,
      title,
      description,
      arguments: [...parameters, LANGUAGE_PARAMETER],
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (prompt === undefined) throw unknownPrompt(params.name);
    const given = checkedArguments(prompt, params.arguments ?? {});
    const texts = (given["language"] ?? standing) === "ja" ? PROMPT_TEXTS_JA : PROMPT_TEXTS;
    const text = texts[prompt.name](given["since"] === undefined ? { ...given, since: monthAgo() } : given);
    return {
      description: prompt.description,
      messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
    };
  });
}

interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

interface Prompt {
  readonly name: keyof typeof PROMPT_TEXTS;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
}

const LANGUAGE_PARAMETER: Parameter = {
  name: "language",
  description: "Language of the instructions: en or ja. Default: that of the server's locale.",
  required: false,
};

const PROMPTS: readonly Prompt[] = [
  {
    name: "summarize_topic",
    title: "Summarise a topic",
    description: "What the documents say about one topic, with sources, disagreements and gaps",
    parameters: [{ name: "topic", description: "A topic, as list_topics names it", required: true }],
  },
  {
    name: "deep_dive",
    title: "Answer a question thoroughly",
    description:
      "Searches, reads the documents around the best passages, and searches again with their words",
    parameters: [{ name: "question", description: "The question", required: true }],
  },
  {
    name: "whats_new",
    title: "What is new",
    description: "What the documents of late say, by the dates in their front matter",
    parameters: [
      { name: "since", description: "First day, as YYYY-MM-DD. Default: 30 days ago.", required: false },
    ],
  },
  {
    name: "find_gaps",
    title: "Find gaps",
    description: "What the documents should say and do not",
    parameters: [{ name: "topic", description: "Only this topic, as list_topics names it", required: false }],
  },
];

function checkedArguments({ name, parameters }: Prompt, given: PromptArguments): PromptArguments {
  const legal = [...parameters, LANGUAGE_PARAMETER].map((parameter) => parameter.name);
  const unknown = Object.keys(given).find((key) => !legal.includes(key));
  if (unknown !== undefined)
    throw invalid(`unknown argument ${quoted(unknown)} of ${name}.${didYouMean(unknown, legal)}`);
  const missing = parameters.find((parameter) => parameter.required && (given[parameter.name] ?? "") === "");
  if (missing !== undefined) throw invalid(`${name} needs ${missing.name}: ${missing.description}`);
  const { language, since } = given;
  if (language !== undefined && !PROMPT_LANGUAGES.some((known) => known === language))
    throw invalid(`language is ${quoted(language)}; it may be ${PROMPT_LANGUAGES.join(" or ")}`);
  if (since !== undefined && !/^\d{4}-\d\d-\d\d$/.test(since))
    throw invalid(`since is ${quoted(since)}; it is a day as YYYY-MM-DD`);
  return given;
}

function monthAgo(): string {
  return new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
}

function unknownPrompt(name: string): McpError {
  const names = PROMPTS.map((prompt) => prompt.name);
  return invalid(`unknown prompt ${quoted(name)}.${didYouMean(name, names)} Prompts: ${names.join(", ")}.`);
}

function invalid(message: string): McpError {
  return new McpError(ErrorCode.InvalidParams, message);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
