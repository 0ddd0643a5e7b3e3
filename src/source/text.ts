/**
 * Bytes to text, or the reason why not.
 *
 * In goes a file's content, out comes its text with `\n` line ends and without a byte-order
 * mark, and the encoding it had. What is no text, or may be one of several
 * encodings, is refused rather than guessed. Telling the Japanese encodings apart is done in
 * `source/japanese-encoding.ts`, opening files in `source/read.ts`.
 */
import { decodeFatal } from "./fatal-decoder.ts";
import { decodeIso2022Jp, decodeLegacyJapanese } from "./japanese-encoding.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "iso-2022-jp" | "shift_jis" | "euc-jp";

export type DecodeOutcome =
  | { readonly kind: "text"; readonly text: string; readonly encoding: Encoding }
  | { readonly kind: "undecodable"; readonly reason: string };

/**
 * Decodes a whole file.
 *
 * Accepts UTF-8 with or without a byte-order mark, UTF-16 with one, ISO-2022-JP, and Shift_JIS or EUC-JP
 * where kana prove it. CRLF becomes LF; a CR alone becomes LF only if the file has no LF.
 */
export function decodeText(bytes: Uint8Array): DecodeOutcome {
  const marked = decodeMarked(bytes);
  if (marked !== undefined) return marked;
  if (bytes.includes(0)) return refuse("binary file: it contains NUL bytes");
  if (countControls(bytes) > bytes.length * LARGEST_SHARE_OF_CONTROLS) {
    return refuse("binary file: it is full of control characters");
  }
  const iso = decodeIso2022Jp(bytes);
  if (iso !== undefined) return accept(iso, "iso-2022-jp");
  const utf8 = decodeFatal("utf-8", bytes);
  if (utf8 !== undefined) return accept(utf8, "utf-8");
  const legacy = decodeLegacyJapanese(bytes);
  if (legacy.kind === "unknown") return refuse(legacy.reason);
  return accept(legacy.text, legacy.encoding);
}

/** Form feeds or escape codes in a log are no reason to refuse it; a compressed file has 10 % of them. */
export const LARGEST_SHARE_OF_CONTROLS = 0.02;

function decodeMarked(bytes: Uint8Array): DecodeOutcome | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return decodeAs("utf-8", bytes);
  if (first === 0xff && second === 0xfe) return decodeAs("utf-16le", bytes);
  if (first === 0xfe && second === 0xff) return decodeAs("utf-16be", bytes);
  return undefined;
}

function decodeAs(encoding: "utf-8" | "utf-16le" | "utf-16be", bytes: Uint8Array): DecodeOutcome {
  const text = decodeFatal(encoding, bytes);
  return text === undefined
    ? refuse(`undecodable: it has the byte-order mark of ${encoding} but is not ${encoding}`)
    : accept(text, encoding);
}

function accept(decoded: string, encoding: Encoding): DecodeOutcome {
  if (decoded.includes("\0")) return refuse("binary file: its text contains U+0000");
  return { kind: "text", text: withLineFeeds(decoded.replace(/^\uFEFF+/, "")), encoding };
}

function refuse(reason: string): DecodeOutcome {
  return { kind: "undecodable", reason };
}

function withLineFeeds(text: string): string {
  if (!text.includes("\r")) return text;
  return text.includes("\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\r", "\n");
}

/** Bytes below 0x20 that are neither white space nor ESC, which begins the shifts of ISO-2022-JP. */
export function countControls(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) count += 1;
  }
  return count;
}
