/**
 * `kb init`: the files that a user would otherwise write by hand. A `kb.toml` with every setting, the
 * entry of this server in an MCP client's configuration, or a token for clients of the network.
 *
 * Nothing that is there is lost: a `kb.toml` or token is never replaced, and a client's file keeps
 * everything else that is in it, with a copy of what it was.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ArgsDef } from "citty";
import {
  CLIENTS,
  type ClientPlace,
  clientPlace,
  type ServerEntry,
  serverEntry,
  serverName,
} from "../config/client-files.ts";
import { findJsonValue, JsonEditError, setJsonValue } from "../config/json-edit.ts";
import { resolveRoot, userConfigDir } from "../config/paths.ts";
import { parseChoice } from "../config/request.ts";
import { configTemplate } from "../config/template.ts";
import { ownCommand } from "../engine/own-command.ts";
import { AppError, EXIT, messageOf } from "../errors.ts";
import type { Command, CommandContext, CommandRun } from "./command.ts";
import { createFile, replaceFile } from "./new-file.ts";

const args = {
  place: {
    type: "positional",
    required: false,
    description: "Folder of documents (instead of --kb); with --token the file to write",
  },
  client: {
    type: "string",
    valueHint: "name",
    description: `Put this server into the configuration of an MCP client: ${CLIENTS.join(", ")}`,
  },
  name: {
    type: "string",
    valueHint: "name",
    description: "With --client: name of the server there, else that of the folder",
  },
  project: {
    type: "boolean",
    description: "With --client: the file of the project in the working directory",
  },
  print: { type: "boolean", description: "Print what would be written, and write nothing" },
  token: {
    type: "boolean",
    description: "Make a file with a random token, which clients of the network have to send",
  },
} as const satisfies ArgsDef;

const run: CommandRun = async (context) => {
  const { values, switches } = context.arguments;
  const client = values.get("client")?.at(-1);
  if (switches.get("token") && client !== undefined)
    throw new AppError("usage", "--token and --client are given together", { hint: "Give one of them." });
  if (client === undefined && (values.has("name") || switches.get("project")))
    throw new AppError("usage", "--name and --project go with --client", { hint: "See: kb init --help" });
  if (switches.get("token")) makeToken(context);
  else if (client === undefined) makeConfig(context);
  else addToClient(context, client);
  return EXIT.done;
};

function makeConfig(context: CommandContext): void {
  const { output, arguments: given } = context;
  const text = configTemplate();
  if (given.switches.get("print")) {
    output.answer(text.trimEnd());
    return;
  }
  const file = join(rootOf(context), "kb.toml");
  createFile(file, text);
  tellFile(
    context,
    file,
    "Every setting is in it, commented out. What it says is taken up at the next start.",
  );
}

function makeToken(context: CommandContext): void {
  const { environment, output, arguments: given } = context;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  if (given.switches.get("print")) {
    output.answer(token);
    return;
  }
  const [named] = given.positionals;
  const own = userConfigDir(environment);
  if (named === undefined && own === undefined)
    throw new AppError("usage", "there is no configuration folder of yours to keep a token in", {
      hint: "Name a file: kb init --token <file>",
    });
  const file = named === undefined ? join(own!, "token") : resolve(environment.cwd, named);
  createFile(file, `${token}\n`, 0o600);
  tellFile(context, file, "Only you can read it. It has to stay secret.");
}

const TOKEN_BYTES = 32;

function addToClient(context: CommandContext, clientText: string): void {
  const { environment, output, arguments: given } = context;
  const client = parseChoice(clientText, "--client", CLIENTS);
  const root = rootOf(context);
  const entry = serverEntry(client, ownCommand(), root);
  const name = given.values.get("name")?.at(-1) ?? serverName(basename(root));
  const isPrinted = given.switches.get("print") ?? false;
  const place = clientPlace(client, given.switches.get("project") ?? false, environment);
  if (isPrinted) {
    output.answer(snippet(place, name, entry));
    if (!output.json) output.say(`kb: this belongs into ${place.file}`);
    return;
  }
  const before = readIfAny(place.file);
  const after = edited(place, name, entry, before);
  if (after === before) {
    tellFile(
      context,
      place.file,
      `The server ${JSON.stringify(name)} is in it already; nothing was changed.`,
    );
    return;
  }
  const backup = replaceFile(place.file, after);
  const kept = backup === undefined ? "" : ` What it was is kept in ${backup}.`;
  tellFile(context, place.file, `The server ${JSON.stringify(name)} is in it.${kept} ${place.advice}`);
}

function edited(place: ClientPlace, name: string, entry: ServerEntry, before: string): string {
  const path = [place.key, name];
  try {
    const present = findJsonValue(before, path);
    if (isDeepStrictEqual(present, entry)) return before;
    if (present !== undefined && !servesSameFolder(present, entry))
      throw new AppError("usage", `${place.file} has another server with the name ${JSON.stringify(name)}`, {
        hint: "Choose another name: --name <name>",
      });
    // An entry of ours that names another executable keeps what the user added to it.
    const merged = present === undefined ? entry : { ...(present as object), ...entry };
    return setJsonValue(before, path, merged);
  } catch (thrown) {
    if (!(thrown instanceof JsonEditError)) throw thrown;
    throw new AppError("config", `${place.file} is left as it is: ${thrown.message}`, {
      hint: `Mend it, or put this into it yourself:\n${snippet(place, name, entry)}`,
    });
  }
}

function servesSameFolder(present: unknown, entry: ServerEntry): boolean {
  const { args: presentArgs } = present as { readonly args?: unknown };
  return Array.isArray(presentArgs) && isDeepStrictEqual(presentArgs.slice(-3), entry.args.slice(-3));
}

function snippet({ key }: ClientPlace, name: string, entry: ServerEntry): string {
  return JSON.stringify({ [key]: { [name]: entry } }, null, 2);
}

function readIfAny(file: string): string {
  try {
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  } catch (thrown) {
    throw new AppError("io", `${file} cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function rootOf({ environment, arguments: { values, positionals } }: CommandContext): string {
  const named = positionals[0] ?? values.get("kb")?.at(-1);
  return resolveRoot({ named, mayUseCwd: true }, environment);
}

function tellFile({ output }: CommandContext, file: string, sentence: string): void {
  if (output.json) output.answerJson({ file });
  else output.answer(file);
  output.say(`kb: ${sentence}`);
}

export const command: Command = { args, run };
