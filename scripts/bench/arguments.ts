/**
 * The command line of the bench: which measurements, on which folders, how often.
 *
 * Checked whole before anything runs, since a run may take half an hour.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { BenchFolder } from "./workbench.ts";

export interface BenchArguments {
  /** As named, without repeats; all that are known if none is named. */
  readonly measurements: readonly string[];
  /** As named; empty if none is. */
  readonly folders: readonly BenchFolder[];
  /** Counted runs of every measurement; undefined leaves the number to each. */
  readonly runs: number | undefined;
  readonly isJson: boolean;
}

/** @throws {Error} Whose message says what is wrong and what is legal. */
export function parseBenchArguments(argv: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      folder: { type: "string", multiple: true, default: [] },
      runs: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`there is no measurement ${unknown}; there are: ${known.join(", ")}`);
  const folders = values.folder.map(parseFolder);
  if (new Set(folders.map(({ name }) => name)).size < folders.length)
    throw new Error("two folders have the same name");
  return {
    measurements: positionals.length === 0 ? known : [...new Set(positionals)],
    folders,
    runs: values.runs === undefined ? undefined : parseRuns(values.runs),
    isJson: values.json,
  };
}

function parseFolder(text: string): BenchFolder {
  const [, name, path] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || path === undefined)
    throw new Error(`--folder takes name=path, with a name of letters, digits and hyphens, got ${text}`);
  const original = resolve(path);
  if (statSync(original, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`${original} is no folder`);
  return { name, original };
}

function parseRuns(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`--runs takes a whole number from 1, got ${text}`);
  return Number(text);
}
