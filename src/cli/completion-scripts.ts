/**
 * Completions of commands and options, as bash, zsh and fish want them.
 *
 * Pure: in go descriptions, out comes a script for the shell to read. Where the descriptions are from is
 * known to `completions-command.ts`.
 */

export const SHELLS = ["bash", "zsh", "fish"] as const;

export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** What has to follow. */
  readonly value: "none" | "text" | "file" | "folder";
}

export interface CompletedCommand {
  readonly name: string;
  readonly sentence: string;
  readonly options: readonly CompletedOption[];
}

export function completionScript(
  shell: (typeof SHELLS)[number],
  commands: readonly CompletedCommand[],
): string {
  return SCRIPTS[shell](commands);
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (commands: readonly CompletedCommand[]) => string>> =
  {
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  };

function bashScript(commands: readonly CompletedCommand[]): string {
  const folders = flagsWith(commands, "folder").join("|");
  const files = flagsWith(commands, "file").join("|");
  const texts = flagsWith(commands, "text").join("|");
  return `# kb completions for bash. Put this into ~/.bashrc:  source <(kb completions bash)
_kb() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${commands.map(({ name }) => name).join("|")}) command="\${COMP_WORDS[at]}"; break ;;
    esac
  done
  case "$before" in
    ${folders}) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    ${files}) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    ${texts}) return ;;
  esac
  if [[ -z "$command" ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${commands.map(({ name }) => name).join(" ")} --help --version" -- "$word")
    return
  fi
  if [[ "$word" == -* ]]; then
    case "$command" in
${commands.map(({ name, options }) => `      ${name}) mapfile -t COMPREPLY < <(compgen -W "${options.map(({ flag }) => flag).join(" ")}" -- "$word") ;;`).join("\n")}
    esac
    return
  fi
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _kb kb
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef kb
# kb completions for zsh. Put this into ~/.zshrc, after compinit:  source <(kb completions zsh)
_kb() {
  local line state
  local -a commands=(
${commands.map(({ name, sentence }) => `    ${singleQuoted(`${name}:${sentence.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  _arguments -C '1:command:->command' '*::argument:->arguments'
  case "$state" in
    command) _describe command commands ;;
    arguments)
      case "$line[1]" in
${commands.map(({ name, options }) => `        ${name}) _arguments ${options.map(zshOption).join(" ")} '*:file:_files' ;;`).join("\n")}
      esac ;;
  esac
}
if [[ "$funcstack[1]" == _kb ]]; then _kb "$@"; else compdef _kb kb; fi
`;
}

const ZSH_VALUES: Readonly<Record<CompletedOption["value"], string>> = {
  none: "",
  text: ":value:",
  file: ":file:_files",
  folder: ":folder:_files -/",
};

function zshOption({ flag, description, value }: CompletedOption): string {
  return singleQuoted(`*${flag}[${description.replace(/[[\]\\:]/g, "\\$&")}]${ZSH_VALUES[value]}`);
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const lines = [
    "# kb completions for fish:  kb completions fish > ~/.config/fish/completions/kb.fish",
    "complete -c kb -f -n __fish_use_subcommand -l version -d 'Print the version'",
  ];
  for (const { name, sentence, options } of commands) {
    lines.push(
      `complete -c kb -f -n ${singleQuoted(`not __fish_seen_subcommand_from ${names}`)} -a ${name} -d ${fishQuoted(sentence)}`,
    );
    for (const option of options)
      lines.push(
        `complete -c kb -n ${singleQuoted(`__fish_seen_subcommand_from ${name}`)} -l ${option.flag.slice(2)}${FISH_VALUES[option.value]} -d ${fishQuoted(option.description)}`,
      );
  }
  return `${lines.join("\n")}\n`;
}

const FISH_VALUES: Readonly<Record<CompletedOption["value"], string>> = {
  none: "",
  text: " -x",
  file: " -r -F",
  folder: " -x -a '(__fish_complete_directories)'",
};

function flagsWith(commands: readonly CompletedCommand[], value: CompletedOption["value"]): string[] {
  const flags = commands.flatMap(({ options }) => options.filter((option) => option.value === value));
  return [...new Set(flags.map(({ flag }) => flag))].sort();
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
