/**
 * The golden file of a folder: found, read without harm, and checked.
 *
 * What it may hold is defined in `config/golden-file.ts`. A link in its place is not followed
 * unless the file was named on the command line.
 */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { type Golden, parseGolden } from "../../config/golden-file.ts";
import type { Config } from "../../config/schema.ts";
import { readSmallFile } from "../../config/small-file.ts";
import { AppError } from "../../errors.ts";
import { readYamlTree } from "../../source/yaml-tree.ts";

export interface LoadedGolden {
  /** Absolute. */
  readonly file: string;
  readonly golden: Golden;
  /** SHA-256 of its text, hex. */
  readonly hash: string;
}

/** Where a golden file is looked for. */
export interface GoldenPlace {
  readonly root: string;
  readonly config: Config;
  /** Given by `--golden`, relative to `cwd`; trusted. */
  readonly named: string | undefined;
  readonly cwd: string;
}

/** @throws {AppError} `missing` if there is none; `config` if it cannot be used, with every problem. */
export function loadGolden({ root, config, named, cwd }: GoldenPlace): LoadedGolden {
  const file = named === undefined ? (config.eval.golden ?? join(root, DEFAULT_NAME)) : resolve(cwd, named);
  const read = readSmallFile(file, { followLinks: named !== undefined, maxBytes: MAX_GOLDEN_BYTES });
  switch (read.kind) {
    case "text":
      return {
        file,
        golden: parseGolden(readYamlTree(read.text), file),
        hash: createHash("sha256").update(read.text).digest("hex"),
      };
    case "missing":
      throw new AppError("missing", `no golden file at ${file}`, {
        hint: "Write one (the README says how, under Measuring), or name another with --golden <file>.",
      });
    case "link":
      throw new AppError("config", `the golden file ${file} is a symbolic link, which is not followed`, {
        hint: `To accept it, name it: --golden ${file}`,
      });
    case "unusable":
      throw new AppError("config", `the golden file ${file} ${read.problem}`, {
        hint: "Put a YAML file of at most 1 MiB in its place, or name another with --golden <file>.",
        ...(read.cause === undefined ? {} : { cause: read.cause }),
      });
  }
}

const DEFAULT_NAME = ".kb-eval.yml";
const MAX_GOLDEN_BYTES = 1024 * 1024;
