/**
 * The configuration of a process that lives long: read again when its file came, went or changed.
 *
 * In go the places where it may be, out come the settings in force and what is wrong with a newer file, if
 * something is: then the settings before it stay. Who has to know of new settings is decided in
 * `engine.ts`.
 */
import { loadConfig, stampConfigFiles } from "../config/load.ts";
import type { Environment } from "../config/paths.ts";
import type { Config } from "../config/schema.ts";
import { AppError, sentencesOf } from "../errors.ts";

export interface LiveConfigOptions {
  /** Given by `--config`. */
  readonly configFile: string | undefined;
  readonly root: string;
  readonly environment: Environment;
  /** What was loaded just now from the same places. */
  readonly config: Config;
  /** Told new settings once they are in force. */
  readonly onChange: (config: Config) => void;
}

export class LiveConfig {
  readonly #options: LiveConfigOptions;
  #current: Config;
  #problem: string | undefined;
  #stamp: string;

  /** Gets what becomes of the settings, a sentence each, and what is wrong with them; nobody at first. */
  report: (text: string) => void = () => {};

  constructor(options: LiveConfigOptions) {
    this.#options = options;
    this.#current = options.config;
    this.#stamp = this.#look();
  }

  get current(): Config {
    return this.#current;
  }

  /** What is wrong with the file as it is now, so that other settings than its own are in force. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Looks at the files by their stats, and reads what has changed. */
  check(): void {
    const stamp = this.#look();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    try {
      this.#take();
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      this.#problem = `${sentencesOf(thrown)} The settings from before it stay in force for searches.`;
      this.report(this.#problem);
    }
  }

  #take(): void {
    const { configFile, root, environment, onChange } = this.#options;
    const { config, warnings } = loadConfig(configFile, root, environment);
    const isMended = this.#problem !== undefined;
    this.#problem = undefined;
    if (!isMended && Bun.deepEquals(config, this.#current)) return;
    this.#current = config;
    this.report("the changed settings are in force");
    for (const warning of warnings) this.report(warning);
    onChange(config);
  }

  #look(): string {
    const { configFile, root, environment } = this.#options;
    return stampConfigFiles(configFile, root, environment);
  }
}
