/**
 * Which reading of documents this is; apart from the parsers, because a search and `kb status`
 * tell it without loading them.
 */

/** Raised whenever the same text would give other blocks, another description or other links. */
export const PARSER_VERSION = 3;
