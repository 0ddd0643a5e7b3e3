/**
 * Paths inside commands that people are told to type.
 *
 * In goes any text; out comes one word for a POSIX shell, whatever is in it. Text that needs
 * no quotes stays as it is, so that the usual command reads as it would be typed.
 */

/** One word of a shell command. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}\p{M}_./:@%+,-]+$/u.test(text) && !text.startsWith("-")
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}
