/**
 * Names that are never documents, whatever their extension.
 *
 * In goes a base name, out comes whether it is left out. Rules that somebody wrote in
 * the folder itself are read in `source/ignore-rules.ts`.
 */

/** Folders of version control, of packages and of the index itself; always left out. */
const BUILT_IN_FOLDERS: readonly string[] = [".git", ".svn", ".hg", "node_modules", ".kb"];

/** A test for base names of folders: the built-in ones and `names`, without regard to case or Unicode form. */
export function folderExclusion(names: readonly string[]): (name: string) => boolean {
  const excluded = new Set([...BUILT_IN_FOLDERS, ...names].map(fold));
  return (name) => excluded.has(fold(name));
}

/** Whether an office program made the file to mark another one as open. */
export function isLockFile(name: string): boolean {
  return name.startsWith("~$") || (name.startsWith(".~lock.") && name.endsWith("#"));
}

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}
