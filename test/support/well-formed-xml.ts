/**
 * Whether a text is one well-formed XML document of the plain kind that drawings are made of.
 *
 * Elements, attributes in double quotes, text, the five entities and numbers; no declarations, no comments.
 * For tests of what is drawn out of hostile names.
 */

/** Names of the elements in the order of their start tags. @throws {Error} naming the place where it is not well-formed. */
export function elementsOf(xml: string): string[] {
  const names: string[] = [];
  const open: string[] = [];
  const token = new RegExp(`${TAG.source}|${TEXT.source}`, "uy");
  while (token.lastIndex < xml.length) {
    const start = token.lastIndex;
    const match = token.exec(xml);
    if (match === null) throw new Error(`not XML at ${start}: ${xml.slice(start, start + 80)}`);
    const [, closing, name, isEmpty] = match;
    if (name === undefined) {
      if (open.length === 0 && match[0].trim() !== "") throw new Error(`text outside the root at ${start}`);
    } else if (closing === "/") {
      if (open.pop() !== name) throw new Error(`</${name}> at ${start} closes nothing`);
    } else {
      if (open.length === 0 && names.length > 0) throw new Error(`a second root at ${start}`);
      names.push(name);
      if (isEmpty !== "/") open.push(name);
    }
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed`);
  return names;
}

const CHARACTER = "[\\t\\n\\u0020-\\ud7ff\\ue000-\\ufffd\\u{10000}-\\u{10ffff}]";
const ENTITY = "&(?:amp|lt|gt|quot|#\\d+);";
const TEXT = new RegExp(`(?:(?![<&])${CHARACTER}|${ENTITY})+`, "u");
const ATTRIBUTE = `\\s+[\\w:-]+="(?:(?![<&"])${CHARACTER}|${ENTITY})*"`;
const TAG = new RegExp(`<(/?)([\\w:-]+)(?:${ATTRIBUTE})*\\s*(/?)>`, "u");
