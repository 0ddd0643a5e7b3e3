/**
 * The script a query is written in, to look at the figures of each apart.
 *
 * A query of several scripts belongs to the one that says most about its language: kana make it
 * Japanese whatever else is in it.
 */

/** `japanese`, `korean`, `han`, `latin`, another script's name in lower case, or `other`. */
export function scriptOf(query: string): string {
  for (const [name, pattern] of TELLING) if (pattern.test(query)) return name;
  let best = "other";
  let most = 0;
  for (const [name, pattern] of COUNTED) {
    const letters = query.match(pattern)?.length ?? 0;
    if (letters > most) [best, most] = [name, letters];
  }
  return best;
}

const TELLING: readonly (readonly [string, RegExp])[] = [
  ["japanese", /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["korean", /\p{Script=Hangul}/u],
  ["han", /\p{Script=Han}/u],
];

const COUNTED: readonly (readonly [string, RegExp])[] = [
  ["latin", /\p{Script=Latin}/gu],
  ["cyrillic", /\p{Script=Cyrillic}/gu],
  ["greek", /\p{Script=Greek}/gu],
  ["arabic", /\p{Script=Arabic}/gu],
  ["hebrew", /\p{Script=Hebrew}/gu],
  ["devanagari", /\p{Script=Devanagari}/gu],
  ["thai", /\p{Script=Thai}/gu],
];
