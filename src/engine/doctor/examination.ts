/**
 * What one run of the doctor has found so far: facts that are in order, and findings that are not.
 *
 * The checks (`check-*.ts`) tell it what they see; a check that fails becomes a finding itself,
 * so that none keeps the others from running. What is checked is decided in `diagnose.ts`.
 */
import { AppError, messageOf } from "../../errors.ts";

/** Something that is wrong, with what to do. */
export interface Finding {
  /** Stable, in kebab case; one id may be found more than once. */
  readonly id: string;
  /**
   * `error`: answers are missing or wrong. `warning`: they are slower, older or fewer than they could be, or at
   * risk. `info`: it is as it should be for what the folder holds; nothing has to be done.
   */
  readonly severity: keyof typeof SEVERITIES;
  /** What is wrong, with its values; one or more sentences without the last full stop. */
  readonly sentence: string;
  /** The command or step to type. */
  readonly remedy: string;
  /** How many things it is about, where they can be counted. */
  readonly count?: number;
  /** Up to 5 of them, in order of path. */
  readonly samples?: readonly string[];
}

/** The place of each in a report. */
const SEVERITIES = { error: 0, warning: 1, info: 2 } as const;

/** Something that was looked at. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** How many samples a finding has at most. */
const SAMPLES = 5;

export class Examination {
  readonly #facts: Fact[] = [];
  readonly #findings: Finding[] = [];

  /** In the order they were told. */
  get facts(): readonly Fact[] {
    return this.#facts;
  }

  /** Errors, warnings, information; else in the order they were found. */
  get findings(): readonly Finding[] {
    return this.#findings.toSorted((a, b) => SEVERITIES[a.severity] - SEVERITIES[b.severity]);
  }

  /** Takes over what another examination has found. */
  include({ facts, findings }: Pick<Examination, "facts" | "findings">): void {
    this.#facts.push(...facts);
    this.#findings.push(...findings);
  }

  tell(name: string, value: string): void {
    this.#facts.push({ name, value });
  }

  find(finding: Finding): void {
    this.#findings.push(finding);
  }

  warn(id: string, sentence: string, remedy: string): void {
    this.find({ id, severity: "warning", sentence, remedy });
  }

  /** A finding about things that can be counted; none if there are none. */
  findAll(
    finding: Omit<Finding, "count" | "samples">,
    samples: readonly string[],
    count = samples.length,
  ): void {
    if (count > 0) this.find({ ...finding, count, samples: samples.slice(0, SAMPLES) });
  }

  /** An error whose message and hint are a failure's. @param remedy In place of its hint. */
  findFailure(id: string, thrown: unknown, remedy?: string): void {
    const isKnown = thrown instanceof AppError;
    this.find({
      id,
      severity: "error",
      sentence: isKnown ? thrown.message : `this check failed itself: ${messageOf(thrown)}`,
      remedy:
        remedy ??
        (isKnown ? thrown.hint : undefined) ??
        "Please report this, with the output of: kb doctor --json",
    });
  }

  /**
   * Runs a check; what it throws is found under `id`, and the answer is undefined then.
   *
   * @param remedyOf The command to type for what was thrown; without one its hint is the remedy.
   */
  async attempt<T>(
    id: string,
    check: () => T | Promise<T>,
    remedyOf: (thrown: unknown) => string | undefined = () => undefined,
  ): Promise<T | undefined> {
    try {
      return await check();
    } catch (thrown) {
      this.findFailure(id, thrown, remedyOf(thrown));
      return undefined;
    }
  }
}
