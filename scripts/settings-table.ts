/**
 * Prints the README's tables of settings and environment variables from their definitions.
 *
 * `bun scripts/settings-table.ts`; paste the output over the tables when a definition
 * changes. That both agree is checked by `test/docs.test.ts`.
 */
import { listSettings } from "../src/config/schema.ts";
import { VARIABLES } from "../src/config/variables.ts";

/** The table's lines, header first, in the order of the file. */
export function settingsTable(): string[] {
  const rows = listSettings().map(({ key, defaultText, unit, range, sentence }) =>
    row([`\`${key}\``, `\`${defaultText}\``, unit, range, sentence]),
  );
  return [
    row(["key", "default", "unit", "range", "what it does"]),
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ];
}

/** The table of environment variables, header first. */
export function variablesTable(): string[] {
  const rows = VARIABLES.map(({ name, defaultText, range, sentence }) =>
    row([`\`${name}\``, defaultText, range, sentence]),
  );
  return [row(["variable", "if unset", "values", "what it does"]), "| --- | --- | --- | --- |", ...rows];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

if (import.meta.main) console.log([...settingsTable(), "", ...variablesTable()].join("\n"));
