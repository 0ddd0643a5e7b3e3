/**
 * The platform's decoders, asked so that they refuse instead of guessing.
 *
 * In go bytes and the name of an encoding, out comes the text or nothing. Which
 * encoding to ask for is decided in `source/text.ts` and `source/japanese-encoding.ts`.
 */

/** The text if every byte fits the encoding, else undefined. A byte-order mark is taken off. */
export function decodeFatal(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding as Bun.Encoding, { fatal: true }).decode(bytes);
  } catch {
    // A fatal decoder says "other encoding" by throwing.
    return undefined;
  }
}
