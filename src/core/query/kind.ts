/**
 * The kind of a query: whether it points at something by its exact name, or asks.
 *
 * A name, a code or a quotation is in the text or it is not; what is merely near in meaning
 * must not come before it. How much that changes the weights is decided by the caller.
 */
import { isLoneParticle, type QueryWord } from "./words.ts";

/** Words up to which a query with a name in it is taken to be about that name. */
const POINTED_MAX_WORDS = 4;

/**
 * Whether a query is short and names something exactly: a quoted text, an identifier (letters with
 * digits or joined by symbols), or nothing but words of one or two characters.
 */
export function isPointed(words: readonly QueryWord[]): boolean {
  const telling = words.filter(({ text, isQuoted }) => isQuoted || !isLoneParticle(text));
  if (telling.length === 0 || telling.length > POINTED_MAX_WORDS) return false;
  return (
    telling.some(({ text, isQuoted }) => isQuoted || IDENTIFIER.test(text)) ||
    telling.every(({ isShort }) => isShort)
  );
}

/** A digit beside a letter or a symbol inside: `e0499`, `1.0.21`, `gen-itgc`, `c++`, `a@b.c`. */
const IDENTIFIER =
  /^(?=.*[\p{L}\p{N}])(?:.*[\p{L}_].*\p{Nd}|.*\p{Nd}.*[\p{L}_]|.*[\p{L}\p{N}][._/@+#&:-]|[.#§][\p{L}\p{N}])/u;

/**
 * Whether a word is the exact name of something: letters with digits, or held together by a sign
 * that belongs to code (`e0499`, `jp-4471-x`, `1.0.21`, `std::vec`, `c++`, `.net`, `§4.2`).
 * Words joined by a hyphen are not: who writes `two-factor` may find `two factor`.
 */
export function isExactName(word: string): boolean {
  return EXACT_NAME.test(word);
}

const EXACT_NAME = /^(?=.*\p{L})(?=.*\p{Nd})|\p{Nd}\.\p{Nd}|[\p{L}\p{N}][_@+#:.]|^[.#§][\p{L}\p{N}]/u;
