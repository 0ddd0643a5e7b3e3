/**
 * Reads the text of a configuration file, whatever somebody has put in its place.
 *
 * In goes a path, out comes the text, or that there is nothing, or a link where none is
 * followed. How a file is read without harm is known to `small-file.ts`, which file it is and
 * what the text means to `load.ts`.
 */
import { AppError } from "../errors.ts";
import { readSmallFile } from "./small-file.ts";

export type ConfigText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  /** Not followed, since `followLinks` is false. */
  | { readonly kind: "link" };

export interface ConfigTextOptions {
  /** False for a file that came with the documents. */
  readonly followLinks: boolean;
  /** The option that names another file; `--config` if not given. */
  readonly option?: string;
}

/**
 * @throws {AppError} `config`: it is no regular file, is larger than 1 MiB, or cannot be read.
 */
export function readConfigText(
  file: string,
  { followLinks, option = "--config" }: ConfigTextOptions,
): ConfigText {
  const read = readSmallFile(file, { followLinks, maxBytes: MAX_CONFIG_BYTES });
  if (read.kind !== "unusable") return read;
  const { problem, cause } = read;
  throw new AppError("config", `the configuration file ${file} ${problem}`, {
    hint:
      cause === undefined
        ? `Put a TOML file in its place, or name another one with ${option}.`
        : `Check its permissions, or name another one with ${option}.`,
    ...(cause === undefined ? {} : { cause }),
  });
}

const MAX_CONFIG_BYTES = 1024 * 1024;
