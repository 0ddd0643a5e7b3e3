/**
 * Words of English that hold a sentence together and say nothing about its subject.
 *
 * For weighing what a passage has of a question, not for searching: there a word that is
 * everywhere is known by its frequency. In a folder of few or mostly Japanese passages it is not.
 */

/** Whether a word, in lower case, is one of them. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the this that these those some any no not and or but if so as than then there here " +
    "of to in on at for with by from into about over up out off " +
    "i me my we us our you your he him his she her it its they them their one " +
    "am is are was were be been being do does did has have had can could shall should will would may might must get " +
    "what which who whom whose when where why how"
  ).split(" "),
);
