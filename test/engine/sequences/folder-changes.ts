/**
 * What can happen to a folder between two runs: one kind of change each, as data, and carrying it out.
 *
 * Names and texts come from small sets, so that changes meet each other. A change that is not
 * possible as things stand (nothing there, no permission) does nothing.
 */
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";

const FOLDERS = ["", "d", "d/e", "D", "f", "か\u3099", "node_modules"] as const;
const NAMES = ["a.md", "A.md", "b.md", "c.txt", "が.md", "か\u3099.md", "e", "odd \"n'\n😀.md"] as const;

const LONG = Array.from({ length: 60 }, (_, n) => `Valve ${n} is tightened before frost, says rule ${n * 7}.`);
const TEXTS = [
  "# Backups\n\nThe nightly backup runs at two.\n",
  "# Backups\n\nThe nightly backup runs at six.\n",
  "Without a heading, the title comes from the name.\n",
  "# 議事録\n\n## 決定\n\n検索基盤の移行時期を決めた。次回は九月に開く。\n",
  `# Valves\n\n${LONG.join(" ")}\n\n## Last\n\n${LONG.slice(0, 9).join("\n\n")}\n`,
  "---\ntitle: Front\ntags: [x, y]\ndate: [\n---\n# T\n\nBody with front matter.\n",
  "# Backups\n\nThe nightly backup runs at two.\n\n## Also\n\nWithout a heading, the title comes from the name.\n",
] as const;
const BYTES = [
  new Uint8Array([0, 1, 2, 3]),
  new Uint8Array([0xff, 0xfe, 0x41, 0x00, 0x0a, 0x00]),
  new Uint8Array([0x82, 0xa0, 0x82, 0xa2, 0x0a]),
  new Uint8Array(),
] as const;
const PATTERNS = [
  "",
  "a.md\n",
  "*.md\n!b.md\n",
  "/e/\n",
  "d/\n",
  "e\n",
  "*.txt\n!/c.txt\n",
  "!a.md\n",
  "\uFEFFか\u3099.md\r\n# a\r\n",
  "[\n\\\n!\n",
] as const;

const place = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map((parts) => join(...parts));
const subFolder = fc.constantFrom(...FOLDERS.slice(1));
const content = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<string | Uint8Array>(...TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom<string | Uint8Array>(...BYTES) },
);
const change = <Kind extends string, Parts extends Record<string, unknown>>(
  kind: Kind,
  parts: { [Key in keyof Parts]: fc.Arbitrary<Parts[Key]> },
) => fc.record({ kind: fc.constant(kind), ...parts }) as fc.Arbitrary<{ kind: Kind } & Parts>;

/** One change; those that are usual come often. */
export const anyChange = fc.oneof(
  { weight: 6, arbitrary: change("write", { at: place, content }) },
  { weight: 2, arbitrary: change("append", { at: place, text: fc.constantFrom(...TEXTS) }) },
  { weight: 3, arbitrary: change("edit in secret", { at: place }) },
  { weight: 1, arbitrary: change("touch", { at: place }) },
  { weight: 1, arbitrary: change("truncate", { at: place, bytes: fc.nat(40) }) },
  { weight: 2, arbitrary: change("remove", { at: fc.oneof(place, subFolder) }) },
  { weight: 4, arbitrary: change("rename", { from: place, to: place }) },
  { weight: 2, arbitrary: change("rename and edit", { from: place, to: place, text: fc.constantFrom(...TEXTS) }) },
  { weight: 2, arbitrary: change("swap", { one: place, other: place }) },
  { weight: 3, arbitrary: change("rename", { from: subFolder, to: subFolder }) },
  { weight: 1, arbitrary: change("swap", { one: subFolder, other: subFolder }) },
  { weight: 1, arbitrary: change("symbolic link", { from: fc.oneof(place, subFolder), to: place }) },
  { weight: 1, arbitrary: change("hard link", { from: place, to: place }) },
  { weight: 3, arbitrary: change("permission", { at: fc.oneof(place, subFolder), mode: fc.constantFrom(0, 0o444, 0o755) }) },
  {
    weight: 2,
    arbitrary: change("ignore", {
      folder: fc.constantFrom(...FOLDERS),
      file: fc.constantFrom(".kbignore", ".gitignore"),
      patterns: fc.constantFrom(...PATTERNS),
    }),
  },
);
export type Change = typeof anyChange extends fc.Arbitrary<infer Each> ? Each : never;

/** Does it, if it can be done. */
export function applyChange(root: string, change: Change): void {
  try {
    attempt(root, change);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown;
  }
}

/** Gives every permission back, so that the folder can be removed. */
export function openAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openAll(join(folder, entry.name));
}

function attempt(root: string, change: Change): void {
  const at = (path: string) => join(root, path);
  switch (change.kind) {
    case "write":
      mkdirSync(dirname(at(change.at)), { recursive: true });
      return writeFileSync(at(change.at), change.content);
    case "append":
      return appendFileSync(at(change.at), change.text, { flag: "r+" });
    case "edit in secret":
      return editInSecret(at(change.at));
    case "touch":
      return utimesSync(at(change.at), 1_700_000_000, 1_700_000_000);
    case "truncate":
      return truncateSync(at(change.at), change.bytes);
    case "remove":
      return rmSync(at(change.at), { recursive: true });
    case "rename":
      return move(at(change.from), at(change.to));
    case "rename and edit":
      move(at(change.from), at(change.to));
      return appendFileSync(at(change.to), change.text);
    case "swap":
      lstatSync(at(change.other));
      renameSync(at(change.one), at("aside"));
      try {
        renameSync(at(change.other), at(change.one));
      } finally {
        move(at("aside"), at(change.other));
      }
      return;
    case "symbolic link":
      return symlinkSync(at(change.from), at(change.to));
    case "hard link":
      return linkSync(at(change.from), at(change.to));
    case "permission":
      return chmodSync(at(change.at), change.mode);
    case "ignore":
      if (change.patterns === "") return rmSync(join(at(change.folder), change.file));
      return writeFileSync(join(at(change.folder), change.file), change.patterns);
  }
}

function move(from: string, to: string): void {
  lstatSync(from);
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** Another text of the same length, with the old times put back as far as anybody can. */
function editInSecret(file: string): void {
  const { atime, mtime } = lstatSync(file);
  const bytes = readFileSync(file);
  const letter = bytes.findLastIndex((byte) => byte >= 0x61 && byte < 0x7a);
  if (letter < 0) return;
  bytes[letter]! += 1;
  writeFileSync(file, bytes);
  utimesSync(file, atime, mtime);
}
