/**
 * Which Japanese encoding before Unicode a file is in.
 *
 * In go bytes that are not UTF-8, out comes their text, or the reason why it cannot be told.
 * The proof is kana: Japanese prose always has them, and bytes of another encoding
 * read as Japanese almost never do. Unicode encodings are handled in `source/text.ts`.
 */
import { decodeFatal } from "./fatal-decoder.ts";

export type LegacyOutcome =
  | { readonly kind: "text"; readonly text: string; readonly encoding: "shift_jis" | "euc-jp" }
  | { readonly kind: "unknown"; readonly reason: string };

/** The text of a 7-bit file that shifts to Japanese by escape sequences, else undefined. */
export function decodeIso2022Jp(bytes: Uint8Array): string | undefined {
  let hasShift = false;
  for (let at = bytes.indexOf(ESC); at !== -1; at = bytes.indexOf(ESC, at + 1)) {
    if (bytes[at + 1] !== DOLLAR) continue;
    hasShift = bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42;
    break;
  }
  if (!hasShift || bytes.some((byte) => byte >= 0x80)) return undefined;
  return decodeFatal("iso-2022-jp", bytes);
}

/** Shift_JIS or EUC-JP, if exactly one of them gives Japanese text. */
export function decodeLegacyJapanese(bytes: Uint8Array): LegacyOutcome {
  const shiftJis = decodeFatal("shift_jis", bytes);
  const eucJp = decodeFatal("euc-jp", bytes);
  if (shiftJis === undefined && eucJp === undefined) {
    return unknown("undecodable: neither UTF-8 nor a Japanese encoding");
  }
  const isShiftJis = shiftJis !== undefined && isJapanese(surveyShiftJis(bytes));
  const isEucJp = eucJp !== undefined && isJapanese(surveyEucJp(bytes));
  if (isShiftJis && isEucJp) return unknown("undecodable: it may be Shift_JIS or EUC-JP");
  if (isShiftJis) return { kind: "text", text: shiftJis, encoding: "shift_jis" };
  if (isEucJp) return { kind: "text", text: eucJp, encoding: "euc-jp" };
  return unknown("undecodable: not UTF-8, and it does not read as Japanese in Shift_JIS or EUC-JP");
}

const ESC = 0x1b;
const DOLLAR = 0x24;
/** Prose has about half; tables of names have a tenth. */
const SMALLEST_SHARE_OF_KANA = 0.1;
/** Of level 2 kanji, private characters and the like. */
const LARGEST_SHARE_OF_RARE = 0.2;

/** Counts of the characters outside ASCII; half-width kana say nothing and are in `total` only. */
interface Survey {
  kana: number;
  rare: number;
  total: number;
}

function isJapanese({ kana, rare, total }: Survey): boolean {
  return total > 0 && kana >= total * SMALLEST_SHARE_OF_KANA && rare <= total * LARGEST_SHARE_OF_RARE;
}

/** Expects bytes that a Shift_JIS decoder took. */
function surveyShiftJis(bytes: Uint8Array): Survey {
  const survey: Survey = { kana: 0, rare: 0, total: 0 };
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at]!;
    if (lead < 0x80) continue;
    survey.total += 1;
    if (lead >= 0xa1 && lead <= 0xdf) continue;
    at += 1;
    const trail = bytes[at] ?? 0;
    if ((lead === 0x82 && trail >= 0x9f && trail <= 0xf1) || (lead === 0x83 && trail <= 0x96)) {
      survey.kana += 1;
    } else if (!(lead === 0x81 || lead === 0x82 || (lead >= 0x88 && lead <= 0x98))) {
      survey.rare += 1;
    }
  }
  return survey;
}

/** Expects bytes that an EUC-JP decoder took. */
function surveyEucJp(bytes: Uint8Array): Survey {
  const survey: Survey = { kana: 0, rare: 0, total: 0 };
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at]!;
    if (lead < 0x80) continue;
    survey.total += 1;
    at += lead === 0x8f ? 2 : 1;
    if (lead === 0xa4 || lead === 0xa5) survey.kana += 1;
    else if (!(lead === 0x8e || lead === 0xa1 || lead === 0xa3 || (lead >= 0xb0 && lead <= 0xcf))) {
      survey.rare += 1;
    }
  }
  return survey;
}

function unknown(reason: string): LegacyOutcome {
  return { kind: "unknown", reason };
}
