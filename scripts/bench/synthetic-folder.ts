/**
 * Folders of made documents, for measuring without anybody's files.
 *
 * One kind looks like a folder of notes in two languages; in the other every document is
 * one chunk of an exact number of tokens. Sentences come from `synthetic-text.ts`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTokenizer, prefixOf } from "../../src/embed/text-encoder.ts";
import { Chance, type Language, makeHeading, makeSentence } from "./synthetic-text.ts";

const LANGUAGES: readonly Language[] = ["japanese", "english"];

/** Writes 60 documents of six sections, half Japanese and half English: about 400 chunks. */
export function writeNotes(folder: string): void {
  const chance = new Chance(1);
  for (const language of LANGUAGES) {
    mkdirSync(join(folder, language), { recursive: true });
    for (let number = 1; number <= 30; number += 1) {
      const sections = Array.from({ length: 6 }, () => makeSection(chance, language));
      const text = `# ${makeHeading(chance, language)} ${number}\n\n${sections.join("\n")}`;
      writeFileSync(join(folder, language, `note-${String(number).padStart(2, "0")}.md`), text);
    }
  }
}

/** Writes documents that each become one chunk of exactly so many tokens, title and prefix included. */
export function writeExactChunks(folder: string, count: number, tokens: number): void {
  const chance = new Chance(2);
  const tokenizer = openTokenizer();
  const fixedTokens = tokenizer.countTokens(prefixOf("passage"));
  const countTokens = (text: string) => tokenizer.countTokens(prefixOf("passage") + text) - fixedTokens;
  mkdirSync(folder, { recursive: true });
  for (let number = 0; number < count; number += 1) {
    const name = `passage ${String(number).padStart(4, "0")}`;
    const language = LANGUAGES[number % 2]!;
    const wanted = tokens - fixedTokens - countTokens(name);
    let text = makeSentence(chance, language);
    for (;;) {
      const longer = `${text}${language === "english" ? " " : ""}${makeSentence(chance, language)}`;
      if (countTokens(longer) > wanted) break;
      text = longer;
    }
    while (countTokens(text) < wanted) text += FILLER;
    writeFileSync(join(folder, `${name}.md`), `${text}\n`);
  }
}

/** One token of its own wherever it stands. */
const FILLER = " a";

function makeSection(chance: Chance, language: Language): string {
  const sentences = Array.from({ length: 5 + chance.below(8) }, () => makeSentence(chance, language));
  return `## ${makeHeading(chance, language)}\n\n${sentences.join(language === "japanese" ? "" : " ")}\n`;
}
