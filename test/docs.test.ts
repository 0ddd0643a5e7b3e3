/**
 * The documentation says what the program does: commands, flags, settings, links.
 *
 * Wording is for people to review; completeness is checked here.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ArgsDef } from "citty";
import { settingsTable, variablesTable } from "../scripts/settings-table.ts";
import { GLOBAL_ARGS } from "../src/cli/command.ts";
import { COMMANDS } from "../src/cli/dispatch.ts";
import { VARIABLES } from "../src/config/variables.ts";

const PROJECT = join(import.meta.dir, "..");
const read = (path: string) => readFileSync(join(PROJECT, path), "utf8");

describe("README.md", () => {
  for (const [name, entry] of Object.entries(COMMANDS)) {
    test(`names kb ${name}`, () => {
      expect(read("README.md")).toContain(`kb ${name}`);
    });

    test(`names every flag of kb ${name}`, async () => {
      expect(unnamedFlags((await entry.load()).args, read("README.md"))).toEqual([]);
    });
  }

  test("names every global flag", () => {
    expect(unnamedFlags(GLOBAL_ARGS, read("README.md"))).toEqual([]);
  });

  test("has the table of settings as scripts/settings-table.ts prints it", () => {
    expect(read("README.md")).toContain(settingsTable().join("\n"));
  });

  test("has the table of environment variables as scripts/settings-table.ts prints it", () => {
    expect(read("README.md")).toContain(variablesTable().join("\n"));
  });

  test("has every environment variable in that table that the sources read", () => {
    const sources = [...new Bun.Glob("src/**/*.ts").scanSync({ cwd: PROJECT })].map(read).join("\n");
    const named = new Set(sources.match(/(?<=\["|\benv\.)KB_[A-Z_]+\b(?="\]|)/g));
    expect([...named].sort()).toEqual(VARIABLES.map(({ name }) => name).sort());
  });
});

describe("relative links", () => {
  const documents = [...new Bun.Glob("**/*.md").scanSync({ cwd: PROJECT })].filter(
    (path) => !/^(?:node_modules|dist|test\/fixtures)\//.test(path),
  );

  test.each(documents)("in %s lead to something that exists", (path) => {
    const links = [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
    const broken = links.filter(
      (link) =>
        !/^(?:[a-z]+:|#)/.test(link) && !existsSync(join(PROJECT, dirname(path), link.replace(/#.*$/, ""))),
    );
    expect(broken).toEqual([]);
  });
});

describe("CHANGELOG.md", () => {
  test("has lines under Unreleased at its top, or the released version", () => {
    const [, ...sections] = read("CHANGELOG.md").split(/^## /m);
    expect(sections[0]).toMatch(/^(?:Unreleased|\d+\.\d+\.\d+)/);
    expect(sections[0]!.split("\n").some((line) => line.startsWith("- "))).toBe(true);
  });
});

/** Flags without a mention; a switch that is on by itself may be named by its negation. */
function unnamedFlags(args: ArgsDef, readme: string): string[] {
  return Object.entries(args)
    .filter(([, argument]) => argument.type !== "positional")
    .filter(
      ([name, argument]) => ![name, ...negations(name, argument)].some((flag) => names(readme, `--${flag}`)),
    )
    .map(([name]) => `--${name}`);
}

function negations(name: string, argument: ArgsDef[string]): string[] {
  return argument.type === "boolean" ? [`no-${name}`] : [];
}

function names(readme: string, flag: string): boolean {
  return new RegExp(`(?<![\\w-])${flag}(?![\\w-])`).test(readme);
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
}
