/**
 * Stage 2 of query compilation: plain text in, groups of word characters out.
 *
 * The character classes live here because a separator is one of them; cutting a
 * group where the other classes meet is stage 3 (`runs.ts`). Nothing is
 * normalised: composed and decomposed, wide and narrow forms stay as typed.
 */

export type CharacterClass = "kanji" | "hiragana" | "katakana" | "otherWord" | "separator";

/** In this order: a kanji or kana is also alphabetic, so the last test may only see what is left. */
const WORD_CLASSES: readonly (readonly [CharacterClass, RegExp])[] = [
  ["kanji", /^[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{2F800}-\u{2FA1F}\u3005\u3006]$/u],
  ["hiragana", /^[\u3041-\u309F]$/u],
  ["katakana", /^[\u30A1-\u30FF\uFF66-\uFF9F]$/u],
  ["otherWord", /^[\p{Alphabetic}\p{N}_-]$/u],
];

/**
 * The class of one code point; a lone surrogate is a separator.
 *
 * Kanji means the base block, extension A, both compatibility blocks, `々` and `〆`;
 * every other ideograph is `otherWord`, and so are `〇`, `_` and the ASCII hyphen.
 */
export function classOf(char: string): CharacterClass {
  for (const [name, pattern] of WORD_CLASSES) if (pattern.test(char)) return name;
  return "separator";
}

/** @returns The maximal stretches without separators, in text order; none is empty. */
export function splitGroups(text: string): readonly string[] {
  const groups: string[] = [];
  let group = "";
  for (const char of text) {
    if (classOf(char) !== "separator") {
      group += char;
    } else if (group !== "") {
      groups.push(group);
      group = "";
    }
  }
  if (group !== "") groups.push(group);
  return groups;
}
