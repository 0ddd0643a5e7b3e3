/**
 * Cleaning a text the way the model's tokenizer was trained to see it.
 *
 * In goes any string; out comes the same text in compatibility form with single
 * spaces. Only tokens are made of the result: offsets are not kept, and the
 * folding that lexical search uses is another one, in `core/`.
 */

const DELETED = /[\u0000-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]/g;
const SPACES = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/g;
/** Characters that compatibility folding leaves alone: most Japanese and English text is nothing else. */
const UNCHANGED = /^[\x20-\x7e\u3001\u3002\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]*$/;
/** The one character that the training normaliser keeps although NFKC would change it. */
const FULLWIDTH_TILDE = "\uff5e";

/** NFKC without controls, with runs of spaces made one and none at either end. */
export function foldForTokens(text: string): string {
  let folded = text;
  if (!UNCHANGED.test(folded)) {
    folded = folded
      .replace(DELETED, "")
      .replace(SPACES, " ")
      .split(FULLWIDTH_TILDE)
      .map((part) => part.normalize("NFKC"))
      .join(FULLWIDTH_TILDE);
  }
  if (folded.includes("  ")) folded = folded.replace(/ {2,}/g, " ");
  const start = folded.startsWith(" ") ? 1 : 0;
  const end = folded.endsWith(" ") ? folded.length - 1 : folded.length;
  return folded.slice(start, Math.max(start, end));
}
