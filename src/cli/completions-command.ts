/**
 * `kb completions`: what lets a shell complete commands and options, made from their definitions.
 *
 * How each shell wants it is known to `completion-scripts.ts`.
 */
import type { ArgsDef } from "citty";
import { parseChoice } from "../config/request.ts";
import { EXIT } from "../errors.ts";
import { type Command, type CommandRun, GLOBAL_ARGS } from "./command.ts";
import {
  type CompletedCommand,
  type CompletedOption,
  completionScript,
  SHELLS,
} from "./completion-scripts.ts";

const args = {
  shell: { type: "positional", description: `Which shell: ${SHELLS.join(", ")}` },
} as const satisfies ArgsDef;

const run: CommandRun = async ({ arguments: { positionals }, output, commands: entries }) => {
  const shell = parseChoice(positionals[0]!, "the shell", SHELLS);
  const commands = await Promise.all(
    Object.entries(entries).map(async ([name, { sentence, load }]): Promise<CompletedCommand> => {
      const definition: ArgsDef = { ...(await load()).args, ...GLOBAL_ARGS };
      return { name, sentence, options: Object.entries(definition).flatMap(optionsOf) };
    }),
  );
  output.answer(completionScript(shell, commands).trimEnd());
  return EXIT.done;
};

function optionsOf([name, argument]: [string, ArgsDef[string]]): CompletedOption[] {
  if (argument.type === "positional") return [];
  const isSwitch = argument.type === "boolean";
  const description = argument.description ?? "";
  const hint = "valueHint" in argument ? (argument.valueHint ?? "") : "";
  const value = isSwitch ? "none" : hint === "dir" ? "folder" : hint === "file" ? "file" : "text";
  const plain: CompletedOption = { flag: `--${name}`, description, value };
  const negative = "negativeDescription" in argument ? argument.negativeDescription : undefined;
  if (!isSwitch || negative === undefined) return [plain];
  return [plain, { flag: `--no-${name}`, description: negative, value: "none" }];
}

export const command: Command = { args, run };
