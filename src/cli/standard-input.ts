/**
 * Reads stdin as text, but not without end.
 */
import { AppError } from "../errors.ts";

/**
 * All of stdin as UTF-8 text.
 *
 * @throws {AppError} `usage` once more than `maxBytes` have arrived; the rest is not read.
 */
export async function readStandardInput(maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes > maxBytes)
      throw new AppError("usage", `the query on stdin is longer than ${maxBytes} bytes (${bytes} and more)`, {
        hint: "Ask a shorter question; to read a document whole, use: kb get <path>",
      });
  }
  return Buffer.concat(parts).toString("utf8");
}
