/**
 * The names of resources: `kb://doc/<path>` and `kb://topic/<group>`.
 *
 * Pure. Whether anything is there under such a name is looked up in the index, in `resources.ts`.
 */

export type ResourceName =
  | { readonly kind: "document"; readonly path: string }
  /** The empty key is the group of the documents at the top of the folder. */
  | { readonly kind: "group"; readonly key: string };

export const DOCUMENT_TEMPLATE = "kb://doc/{path}";

export function documentUri(path: string): string {
  return `${DOCUMENT_PREFIX}${encode(path)}`;
}

export function groupUri(key: string): string {
  return `${GROUP_PREFIX}${encode(key)}`;
}

/** What a URI names; undefined for one that is not ours or names no place inside the folder, however it is written. */
export function parseResourceUri(uri: string): ResourceName | undefined {
  const prefix = [DOCUMENT_PREFIX, GROUP_PREFIX].find((candidate) => uri.startsWith(candidate));
  if (prefix === undefined) return undefined;
  const decoded = decode(uri.slice(prefix.length));
  if (decoded === undefined || leadsOut(decoded)) return undefined;
  if (prefix === GROUP_PREFIX) return { kind: "group", key: decoded.replace(/\/+$/, "") };
  return decoded === "" ? undefined : { kind: "document", path: decoded };
}

/** The first two folders of a path, as far as it has any. */
export function groupKeyOf(path: string): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/");
}

const DOCUMENT_PREFIX = "kb://doc/";
const GROUP_PREFIX = "kb://topic/";

function encode(text: string): string {
  let encoded = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9\-._~/]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}

/** Undefined for a malformed escape or bytes that are no UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function leadsOut(path: string): boolean {
  return /[\0\\]/.test(path) || path.startsWith("/") || path.split("/").includes("..");
}
