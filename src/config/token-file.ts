/**
 * The secret that clients of the network have to send, from its file.
 *
 * Comparing what they send with it is done in `mcp/http/bearer.ts`; making one is `kb init --token`.
 */
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { AppError, messageOf } from "../errors.ts";

export interface Token {
  readonly secret: string;
  /** That others than its owner may read the file, with the command that ends it. */
  readonly warning: string | undefined;
}

/** @throws {AppError} `config`: no such file, or what it holds is no secret; the text itself is never quoted. */
export function readTokenFile(file: string): Token {
  const hint = `Make one with: kb init --token ${file}`;
  let text: string;
  let mode: number;
  try {
    const descriptor = openSync(file, "r");
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error("it is no small regular file");
      mode = stat.mode;
      text = readFileSync(descriptor, "utf8").trim();
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw new AppError("config", `the token file ${file} cannot be read: ${messageOf(cause)}`, {
      hint,
      cause,
    });
  }
  if (!/^[\x21-\x7e]+$/.test(text) || text.length < MIN_CHARACTERS)
    throw new AppError(
      "config",
      `the token file ${file} holds no token: one line of at least ${MIN_CHARACTERS} letters, digits and signs`,
      { hint },
    );
  const isOpen = process.platform !== "win32" && (mode & 0o077) !== 0;
  return {
    secret: text,
    warning: isOpen ? `others may read the token file ${file}; end that with: chmod 600 ${file}` : undefined,
  };
}

const MAX_BYTES = 4096;
const MIN_CHARACTERS = 32;
