/**
 * A `kb.toml` to begin with: every setting with what it does, all commented out.
 *
 * Made from `schema.ts`, so that it says what the program does. Writing it is done in `cli/init-command.ts`.
 */
import { listSettings, type SettingDefinition } from "./schema.ts";

/** Legal TOML that sets nothing; with every `# key = value` line uncommented it sets every default. */
export function configTemplate(): string {
  const lines = [
    "# Settings of kb for this folder. Every line is a default: remove the # before one to change it.",
    "# What a setting may be is in brackets: unit, range.",
  ];
  let table = "";
  for (const setting of listSettings()) {
    const at = setting.key.lastIndexOf(".");
    if (setting.key.slice(0, at) !== table) {
      table = setting.key.slice(0, at);
      lines.push("", `[${table}]`);
    }
    lines.push("", ...linesOf(setting, setting.key.slice(at + 1)));
  }
  return `${lines.join("\n")}\n`;
}

function linesOf({ sentence, unit, range, defaultText }: SettingDefinition, name: string): string[] {
  const value = defaultText === "none" ? `${name} = ""  # no default` : `${name} = ${defaultText}`;
  return [...wrapped(`${sentence} [${unit}: ${range}]`).map((line) => `# ${line}`), `#${value}`];
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const WIDTH = 100;
