/**
 * The order of paths: two strings in, their order by code points out.
 *
 * It is the order of their UTF-8 bytes, hence of SQLite's `BINARY` collation. The
 * language's `<` compares UTF-16 units and puts U+E000 to U+FFFF after the astral
 * planes, so sorting here and in SQL would disagree.
 */

/** For `sort`: below 0 if `a` comes first, 0 only if the strings are equal. */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = orderOfUnit(a.charCodeAt(at)) - orderOfUnit(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Moves the surrogates behind the rest of the basic plane, where the characters they stand for belong. */
function orderOfUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
