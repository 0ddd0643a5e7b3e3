/**
 * Which questions a folder is asked: those of its subject, in two languages.
 *
 * The questions themselves are `web-questions.ts` and `command-questions.ts`.
 */
import { COMMAND_QUESTIONS } from "./command-questions.ts";
import type { Language } from "./synthetic-text.ts";
import { WEB_QUESTIONS } from "./web-questions.ts";

/** At least 40 distinct questions for each language, from one word to eight. */
export type Questions = Readonly<Record<Language, readonly string[]>>;

/** Pages about command-line programs are known by the folder's name; everything else is asked about web sites. */
export function questionsFor(folderName: string): Questions {
  return /tldr|command|man-?pages/i.test(folderName) ? COMMAND_QUESTIONS : WEB_QUESTIONS;
}
