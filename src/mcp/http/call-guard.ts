/**
 * Calls of tools over HTTP: how many at a time, and for how long.
 *
 * In goes a call as a function, out comes its answer, or an error of the protocol at the deadline. Whether
 * a request is refused since there are too many already is decided in `http-server.ts`; how a search
 * is cut is the business of `engine/readers`.
 */
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { isReadOnly, type Tool } from "../tool.ts";
import type { Metrics } from "./metrics.ts";

export interface CallLimits {
  readonly maxCalls: number;
  readonly deadlineMs: number;
}

export class CallGuard {
  readonly #limits: CallLimits;
  readonly #metrics: Metrics;
  #inFlight = 0;

  constructor(limits: CallLimits, metrics: Metrics) {
    this.#limits = limits;
    this.#metrics = metrics;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get isFull(): boolean {
    return this.#inFlight >= this.#limits.maxCalls;
  }

  /**
   * A tool that changes something has no deadline: it reports its progress, and is cancelled.
   *
   * @param call Gets a signal that is also aborted at the deadline.
   * @throws {McpError} `RequestTimeout` at the deadline, whatever the call does then.
   */
  async run<Answer>(
    tool: Tool,
    cancelled: AbortSignal,
    call: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    this.#inFlight++;
    const late = new AbortController();
    const expired = Promise.withResolvers<never>();
    const { deadlineMs } = this.#limits;
    const timer = isReadOnly(tool) ? setTimeout(() => late.abort(), deadlineMs) : undefined;
    late.signal.addEventListener("abort", () =>
      expired.reject(
        new McpError(
          ErrorCode.RequestTimeout,
          `the call took longer than ${deadlineMs / 1000} s and was cut; ask for fewer results, or with rarer words`,
        ),
      ),
    );
    try {
      const answer = await Promise.race([call(AbortSignal.any([cancelled, late.signal])), expired.promise]);
      this.#metrics.noteCall(tool.name, "answered");
      return answer;
    } catch (thrown) {
      const outcome = late.signal.aborted ? "deadline" : cancelled.aborted ? "cancelled" : "failed";
      this.#metrics.noteCall(tool.name, outcome);
      throw thrown;
    } finally {
      clearTimeout(timer);
      this.#inFlight--;
    }
  }
}
