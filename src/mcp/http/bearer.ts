/**
 * The token of a request against the server's, and what wrong ones cost.
 *
 * A wrong token is answered late, the later the more of them came from its address within a minute;
 * a right one never waits. Reading the file is done in `config/token-file.ts`.
 */
import { createHash, timingSafeEqual } from "node:crypto";

/** @returns Whether `header` is `Bearer` and the secret; takes as long for any two texts. */
export function bearsToken(header: string | null, secret: string): boolean {
  const sent = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? "";
  return timingSafeEqual(digestOf(sent), digestOf(secret));
}

/** How long wrong tokens are kept waiting. */
export class WrongTokens {
  readonly #counts = new Map<string, { count: number; since: number }>();
  #waiting = 0;

  /**
   * @param now In milliseconds; never goes back.
   * @returns Milliseconds to wait before the refusal; undefined if too many wait already.
   */
  note(address: string, now: number): number | undefined {
    let entry = this.#counts.get(address);
    if (entry === undefined || now - entry.since > FORGET_MS) {
      if (this.#counts.size >= MAX_ADDRESSES) this.#counts.clear();
      entry = { count: 0, since: now };
      this.#counts.set(address, entry);
    }
    entry.count++;
    if (this.#waiting >= MAX_WAITING) return undefined;
    return entry.count <= FREE_TRIES ? 0 : Math.min(MAX_DELAY_MS, 20 * 2 ** (entry.count - FREE_TRIES));
  }

  async wait(ms: number): Promise<void> {
    this.#waiting++;
    await Bun.sleep(ms);
    this.#waiting--;
  }
}

const FORGET_MS = 60_000;
const FREE_TRIES = 3;
const MAX_DELAY_MS = 2000;
const MAX_WAITING = 64;
const MAX_ADDRESSES = 1000;

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
