/**
 * Folding that needs the neighbours: text whose characters are folded in, the finished
 * normal form out.
 *
 * Iteration marks are written out (人々, すゞ), dashes become ー or a hyphen. Each UTF-16 unit
 * is replaced by one unit, so that offsets stay valid. Characters by themselves are folded
 * in `fold.ts`.
 */

/**
 * Resolves what `foldCharacter` left: U+2010 as the one dash, and the iteration marks.
 *
 * - 々 after a kanji repeats it, 々々 after two kanji repeats both (部分々々); longer rows stay.
 * - ゝ repeats an unvoiced kana, ゞ repeats it voiced; ゝ after a voiced one can mean either and
 *   stays, as do rows of marks and marks after the other kana. A kanji outside the basic plane stays too.
 * - A single dash, ─ included, after a kana whose sound can be drawn out is a mistyped ー, unless
 *   a letter, digit or hyphen follows (タイプ－Ａ is タイプ-A). Any other dash is a hyphen; ─ stays a line.
 *   A real hyphen (U+002D) is left alone, and so is a wave: く〜ん and く～ん meet as く~ん.
 * - ー between two ASCII letters or digits is a mistyped hyphen (０３ー１２３４).
 *
 * @returns As long as the text. Resolving it again changes nothing.
 */
export function resolveNeighbours(text: string): string {
  if (!NEEDS_NEIGHBOURS.test(text)) return text;
  return writeOutIterations(text).replace(DASH_RUN, resolveDash).replace(MISTYPED_HYPHEN, "$1-");
}

const NEEDS_NEIGHBOURS = /[\u2010\u2500々ゝゞヽヾ]|[0-9a-z]ー[0-9a-z]/;
const ITERATION_RUN = /[々ゝゞヽヾ]+/g;
const DASH_RUN = /[\u2010\u2500]+/g;
const MISTYPED_HYPHEN = /([0-9a-z])ー(?=[0-9a-z])/g;

const KANJI = /^[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF]+$/;
/** Kana of full size that are written alike voiced and unvoiced, without their marks. */
const UNVOICED_HIRAGANA = /^[かきくけこさしすせそたちつてとはひふへほ]$/;
const UNVOICED_KATAKANA = /^[カキクケコサシスセソタチツテトハヒフヘホ]$/;
const VOICED_HIRAGANA = /^[がぎぐげござじずぜぞだぢづでどばびぶべぼ]$/;
const VOICED_KATAKANA = /^[ガギグゲゴザジズゼゾダヂヅデドバビブベボ]$/;
const UNVOICEABLE_HIRAGANA = /^[あいうえおなにぬねのまみむめもやゆよらりるれろわをん]$/;
const UNVOICEABLE_KATAKANA = /^[アイウエオナニヌネノマミムメモヤユヨラリルレロワヲン]$/;

/** Kana without っ and ん, after which nothing is drawn out. */
const LENGTHENED = /^(?![っッんン])[ぁ-ゖァ-ヺ]$/;
const NOT_AFTER_LONG_VOWEL = /^[-\p{N}\p{Script=Latin}]/u;

/** A mark repeats what stands before it once all marks before it are written out (人々人々々). */
function writeOutIterations(text: string): string {
  let written = "";
  let end = 0;
  return text.replace(ITERATION_RUN, (run: string, at: number) => {
    const between = text.slice(Math.max(end, at - run.length), at);
    written = resolveIteration(run, (written + between).slice(-run.length));
    end = at + run.length;
    return written;
  });
}

function resolveIteration(run: string, before: string): string {
  switch (run) {
    case "々":
    case "々々":
      return before.length === run.length && KANJI.test(before) ? before : run;
    case "ゝ":
      return UNVOICED_HIRAGANA.test(before) || UNVOICEABLE_HIRAGANA.test(before) ? before : run;
    case "ヽ":
      return UNVOICED_KATAKANA.test(before) || UNVOICEABLE_KATAKANA.test(before) ? before : run;
    case "ゞ":
      if (VOICED_HIRAGANA.test(before)) return before;
      return UNVOICED_HIRAGANA.test(before) ? `${before}\u3099`.normalize("NFC") : run;
    case "ヾ":
      if (VOICED_KATAKANA.test(before)) return before;
      return UNVOICED_KATAKANA.test(before) ? `${before}\u3099`.normalize("NFC") : run;
    default:
      return run;
  }
}

function resolveDash(run: string, at: number, text: string): string {
  const before = text.slice(Math.max(0, at - 1), at);
  const after = text.slice(at + 1, at + 3);
  if (run.length === 1 && LENGTHENED.test(before) && !NOT_AFTER_LONG_VOWEL.test(after)) return "ー";
  return run.replaceAll("\u2010", "-");
}
