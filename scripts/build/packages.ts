/**
 * Packages of other platforms, which an ordinary install leaves out.
 *
 * In go names and versions; afterwards `dist/packages` holds them, fetched through the
 * package registry this machine is set up for, and the libraries among them also stand in
 * `node_modules`, where imports look. Nothing they bring is run. Whether the files in them
 * are the right ones is checked by who uses them.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dir, "..", "..");
const FOLDER = join(PROJECT, "dist", "packages");

/**
 * Fetches what is not there yet in this version.
 *
 * @param wanted Version by package name.
 * @throws {Error} If the package manager fails; what it said is on stderr.
 */
export async function fetchPackages(wanted: Readonly<Record<string, string>>): Promise<void> {
  const missing = Object.entries(wanted).filter(([name, version]) => versionIn(FOLDER, name) !== version);
  if (missing.length === 0) return;
  console.error(`fetching ${missing.map((entry) => entry.join("@")).join(", ")}`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), JSON.stringify({ private: true, dependencies: wanted }));
  const child = Bun.spawn(
    [process.execPath, "install", "--os=*", "--cpu=*", "--ignore-scripts", "--no-save", "--silent"],
    { cwd: FOLDER, stdin: "ignore", stdout: "inherit", stderr: "inherit" },
  );
  if ((await child.exited) !== 0) throw new Error(`"bun install" in ${FOLDER} ended with ${child.exitCode}`);
}

/** Puts a fetched package where the sources' imports find it, unless it is there in this version. */
export function placeBesideOthers(name: string, version: string): void {
  if (versionIn(PROJECT, name) === version) return;
  cpSync(join(FOLDER, "node_modules", name), join(PROJECT, "node_modules", name), { recursive: true });
}

/** A file of a fetched package. */
export function fileOfPackage(name: string, path: string): string {
  return join(FOLDER, "node_modules", name, path);
}

function versionIn(folder: string, name: string): string | undefined {
  const manifest = join(folder, "node_modules", name, "package.json");
  if (!existsSync(manifest)) return undefined;
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
