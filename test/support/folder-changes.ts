/**
 * What can happen to a folder between two runs: one kind of change each, as data, and carrying it out.
 *
 * Names and texts come from small sets, so that changes meet each other. A change that is not
 * possible as things stand (nothing there, no permission) does nothing.
 */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
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
import { basename, dirname, join } from "node:path";
import fc from "fast-check";

const FOLDERS = ["", "d", "d/e", "D", "f", "か\u3099", "が", "node_modules"] as const;
const NAMES = ["a.md", "A.md", "b.md", "c.txt", "が.md", "か\u3099.md", "e", "odd \"n'\n😀.md"] as const;

const LONG = Array.from(
  { length: 60 },
  (_, n) => `Valve ${n} is tightened before frost, says rule ${n * 7}.`,
);
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

/** A path, or the number of something that is there when the change comes, counted around in path order. */
type Target = string | number;

const place = fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES)).map((parts) => join(...parts));
const subFolder = fc.constantFrom(...FOLDERS.slice(1));
const something: fc.Arbitrary<Target> = fc.oneof(
  { weight: 1, arbitrary: place },
  { weight: 1, arbitrary: subFolder },
  { weight: 6, arbitrary: fc.nat(40) },
);
const content = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<string | Uint8Array>(...TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom<string | Uint8Array>(...BYTES) },
);
const text = fc.constantFrom(...TEXTS);
const change = <Kind extends string, Parts extends Record<string, unknown>>(
  kind: Kind,
  parts: { [Key in keyof Parts]: fc.Arbitrary<Parts[Key]> },
) => fc.record({ kind: fc.constant(kind), ...parts }) as fc.Arbitrary<{ kind: Kind } & Parts>;

/** One change; those that are usual come often. */
export const anyChange = fc.oneof(
  { weight: 5, arbitrary: change("write", { at: fc.oneof(place, something), content }) },
  { weight: 1, arbitrary: change("append", { at: something, text }) },
  { weight: 4, arbitrary: change("edit in secret", { at: something, byte: fc.constantFrom(0, 0x78, 0x79) }) },
  { weight: 1, arbitrary: change("touch", { at: something }) },
  { weight: 1, arbitrary: change("truncate", { at: something, bytes: fc.nat(40) }) },
  { weight: 2, arbitrary: change("remove", { at: something }) },
  { weight: 4, arbitrary: change("rename", { from: something, to: fc.oneof(place, subFolder, something) }) },
  { weight: 1, arbitrary: change("rename in another form", { at: something }) },
  { weight: 1, arbitrary: change("rename and edit", { from: something, to: place, text }) },
  { weight: 2, arbitrary: change("swap", { one: something, other: something }) },
  { weight: 1, arbitrary: change("move the text", { from: something, to: place }) },
  { weight: 1, arbitrary: change("symbolic link", { from: something, to: place }) },
  { weight: 1, arbitrary: change("hard link", { from: something, to: place }) },
  { weight: 3, arbitrary: change("permission", { at: something, mode: fc.constantFrom(0, 0o444, 0o755) }) },
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
  const at = (target: Target) => join(root, typeof target === "string" ? target : pick(root, target));
  switch (change.kind) {
    case "write":
      mkdirSync(dirname(at(change.at)), { recursive: true });
      writeFileSync(at(change.at), change.content);
      // Always the same, so that it tells nothing.
      utimesSync(at(change.at), 1_700_000_000, 1_700_000_000);
      break;
    case "append":
      appendFileSync(at(change.at), change.text, { flag: "r+" });
      break;
    case "edit in secret":
      editInSecret(at(change.at), change.byte);
      break;
    case "touch":
      utimesSync(at(change.at), 1_700_000_000, 1_700_000_000);
      break;
    case "truncate":
      truncateSync(at(change.at), change.bytes);
      break;
    case "remove":
      rmSync(at(change.at), { recursive: true });
      break;
    case "rename":
      move(at(change.from), at(change.to));
      break;
    case "rename in another form":
      move(at(change.at), otherForm(at(change.at)));
      break;
    case "rename and edit": {
      const from = at(change.from);
      move(from, at(change.to));
      appendFileSync(at(change.to), change.text);
      break;
    }
    case "swap":
      swap(at(change.one), at(change.other), join(root, "aside"));
      break;
    case "move the text": {
      const from = at(change.from);
      copyFileSync(from, at(change.to));
      truncateSync(from);
      break;
    }
    case "symbolic link":
      symlinkSync(at(change.from), at(change.to));
      break;
    case "hard link":
      linkSync(at(change.from), at(change.to));
      break;
    case "permission":
      chmodSync(at(change.at), change.mode);
      break;
    case "ignore":
      if (change.patterns === "") rmSync(join(at(change.folder), change.file));
      else writeFileSync(join(at(change.folder), change.file), change.patterns);
      break;
  }
}

function pick(root: string, number: number): string {
  const all = listBelow(root).sort();
  return all[number % all.length] ?? "nothing";
}

/** Relative paths of all that is below a folder. Links are not followed, since one may lead to a folder above it. */
export function listBelow(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...listBelow(root, path)] : [path];
  });
}

/** The last name in another letter case or, where it has accents, in another Unicode form. */
function otherForm(path: string): string {
  const name = basename(path);
  const form = name === name.normalize("NFC") ? name.normalize("NFD") : name.normalize("NFC");
  const other = form !== name ? form : name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
  return join(dirname(path), other);
}

function swap(one: string, other: string, aside: string): void {
  lstatSync(other);
  renameSync(one, aside);
  try {
    renameSync(other, one);
  } finally {
    // A folder swapped with something inside it goes back.
    renameSync(aside, existsSync(one) ? other : one);
  }
}

function move(from: string, to: string): void {
  lstatSync(from);
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** Another first byte, with the old times put back as far as anybody can; 0 makes a binary file. */
function editInSecret(file: string, byte: number): void {
  const { atime, mtime } = lstatSync(file);
  const bytes = readFileSync(file);
  bytes[0] = byte;
  writeFileSync(file, bytes);
  utimesSync(file, atime, mtime);
}
