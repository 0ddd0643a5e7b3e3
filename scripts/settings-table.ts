/**
 * Prints the README's table of settings from their definitions.
 *
 * `bun scripts/settings-table.ts`; paste the output over the table when a setting
 * changes. That both agree is checked by `test/docs.test.ts`.
 */
import { listSettings } from "../src/config/schema.ts";

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

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

if (import.meta.main) console.log(settingsTable().join("\n"));
