/**
 * The architecture, as tables: which folder may import which, where each package
 * lives, what the core may not see, what a file must look like.
 *
 * Changing the architecture means changing a table here. How source is read as text
 * is in `support/source-scan.ts`.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { findImportCycle } from "./support/import-cycle.ts";
import { type ScannedSource, scanSource } from "./support/source-scan.ts";

/** Which folder of src may import which; `.` is src itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  native: [],
  config: ["core"],
  source: ["core"],
  store: ["core", "native"],
  embed: ["core", "native"],
  engine: ["core", "config", "source", "store", "embed", "native"],
  mcp: ["core", "config", "engine"],
  cli: ["core", "config", "engine", "mcp", "native"],
  ".": ["cli"],
};

/** Which room of `src/engine` may import which; what lies in the engine itself serves all of them. */
const ROOM_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  search: [],
  graph: [],
  validation: ["indexing"],
  indexing: [],
  questions: [],
  readers: ["questions", "search"],
  upkeep: ["indexing"],
  doctor: ["indexing", "questions"],
  evaluation: ["search", "indexing"],
};

/** Modules of src itself that every folder may import. */
const SHARED = new Set(["errors.ts", "version.ts"]);

/** Where each package is at home; a new one needs a line. */
const HOME_OF_PACKAGE: Readonly<Record<string, readonly string[]>> = {
  "@modelcontextprotocol/sdk": ["mcp"],
  "bun:sqlite": ["store"],
  citty: ["cli"],
  "cli-progress": ["cli"],
  "fastest-levenshtein": ["config"],
  ignore: ["source"],
  "markdown-it": ["source"],
  "onnxruntime-common": ["embed"],
  "onnxruntime-node": ["embed", "native"],
  "onnxruntime-web": ["embed", "native"],
  re2js: ["config"],
  "smol-toml": ["config"],
  "sqlite-vec-darwin-arm64": ["native"],
  "sqlite-vec-darwin-x64": ["native"],
  "sqlite-vec-linux-arm64": ["native"],
  "sqlite-vec-linux-x64": ["native"],
  "sqlite-vec-windows-x64": ["native"],
  yaml: ["source"],
  zod: ["config", "mcp"],
};

/** What the pure core may not name: the platform, the clock, chance, and the outside. */
const IMPURE =
  /\b(?:Bun|Buffer|process|globalThis|console|performance|fetch|crypto|Date|setTimeout|setInterval|setImmediate|queueMicrotask|Worker)\b|\bMath\.random\b|\bimport\.meta\b|\bawait\b/;

const DRAWER_NAMES = new Set([
  "index",
  "util",
  "utils",
  "helper",
  "helpers",
  "common",
  "types",
  "manager",
  "service",
  "misc",
]);

const SQL =
  /^\s*(?:SELECT\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\s|REPLACE\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(?:VIRTUAL\s+)?(?:TABLE|INDEX|TRIGGER)\s|DROP\s+(?:TABLE|INDEX)\s|ALTER\s+TABLE\s|PRAGMA\s|WITH\s+\w+\s+AS\s|BEGIN(?:\s+IMMEDIATE)?;?$|COMMIT;?$|VACUUM\b)/;

const PROJECT = join(import.meta.dir, "..");
const sources = scanFolder("src");
const everything = new Map([...sources, ...scanFolder("test"), ...scanFolder("scripts")]);

describe.each([...sources.keys()].filter((path) => !path.endsWith(".d.ts")))("%s", (path) => {
  const { imports, bareCode, strings, hasDefaultExport } = sources.get(path)!.scan;
  const folder = folderOf(path);

  test("imports only what its folder may", () => {
    const targets = imports.filter(isRelative).map((target) => resolveImport(path, target));
    const forbidden = targets.filter(
      (target) =>
        target.startsWith("src/") &&
        !SHARED.has(target.slice("src/".length)) &&
        folderOf(target) !== folder &&
        !MAY_IMPORT[folder]?.includes(folderOf(target)),
    );
    expect(forbidden).toEqual([]);
  });

  const room = roomOf(path);
  if (room !== undefined)
    test("imports only what its room of the engine may", () => {
      const rooms = imports
        .filter(isRelative)
        .flatMap((target) => roomOf(resolveImport(path, target)) ?? [])
        .filter((target) => target !== room);
      expect(rooms.filter((target) => !ROOM_MAY_IMPORT[room]?.includes(target))).toEqual([]);
    });

  test("names imported files by their full name, and they exist", () => {
    const targets = imports.filter(isRelative).map((target) => resolveImport(path, target));
    expect(targets.filter((target) => !existsSync(join(PROJECT, target)))).toEqual([]);
  });

  test("uses packages only in their home", () => {
    const packages = imports.filter((target) => !isRelative(target) && !isBuiltin(target)).map(packageOf);
    expect(packages.filter((name) => !HOME_OF_PACKAGE[name]?.includes(folder))).toEqual([]);
  });

  test("has a kebab-case name that says what it holds", () => {
    const parts = path.split("/").slice(1);
    expect(parts.filter((part) => DRAWER_NAMES.has(part.replace(/\.ts$/, "")))).toEqual([]);
    expect(basename(path)).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/);
  });

  test("exports by name only", () => {
    expect(hasDefaultExport).toBe(false);
  });

  if (folder === "core")
    test("is pure", () => {
      expect(imports.filter((target) => !isRelative(target))).toEqual([]);
      expect(bareCode.match(IMPURE)?.[0]).toBeUndefined();
    });

  if (folder !== "store")
    test("holds no SQL", () => {
      expect(strings.filter((text) => SQL.test(text))).toEqual([]);
    });
});

describe.each([...everything.keys()])("%s", (path) => {
  const { text } = everything.get(path)!;

  // A test of one module is introduced by that module.
  if (!isMirrored(path) && !/^test\/support\/.*\.test\.ts$/.test(path))
    test("begins with a header that says what it is for", () => {
      expect(text.replace(/^#!.*\n/, "")).toMatch(/^\/\*\*(?:\n \*)? \S/);
    });

  test("has at most 300 lines", () => {
    expect(text.split("\n").length - 1).toBeLessThanOrEqual(300);
  });
});

describe("src", () => {
  test("has no import cycle, type imports counted", () => {
    const importsBySource = new Map(
      [...sources].map(([path, { scan }]) => [
        path,
        scan.imports.filter(isRelative).map((target) => resolveImport(path, target)),
      ]),
    );
    expect(findImportCycle(importsBySource)).toBeUndefined();
  });

  test("exports only what another file imports", () => {
    const unused = [...sources].flatMap(([path, { scan }]) =>
      path.endsWith(".d.ts")
        ? []
        : scan.exports.filter((name) => !isUsed(path, name)).map((name) => `${path}: ${name}`),
    );
    expect(unused).toEqual([]);
  });
});

describe("test", () => {
  const mirrored = [...everything.keys()].filter(isMirrored);

  test.each(mirrored)("%s is named after a module, or after one and a theme", (path) => {
    const words = path
      .replace(/\.test\.ts$/, "")
      .replace(/^test\//, "src/")
      .split("-");
    const modules = words.map((_, at) => `${words.slice(0, at + 1).join("-")}.ts`);
    expect(modules.some((module) => sources.has(module))).toBe(true);
  });
});

describe("packages", () => {
  test("are all used, and all of src's have a home", () => {
    const imported = new Set([...sources.values()].flatMap(({ scan }) => scan.imports.map(packageOf)));
    const manifest = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const known = Object.keys(manifest.dependencies).filter((name) => name !== "sqlite-vec");
    expect(known.filter((name) => !imported.has(name))).toEqual([]);
  });
});

interface SourceFile {
  readonly text: string;
  readonly scan: ScannedSource;
}

function scanFolder(folder: string): Map<string, SourceFile> {
  const paths = [...new Bun.Glob(`${folder}/**/*.ts`).scanSync({ cwd: PROJECT })].sort();
  return new Map(
    paths
      .filter((path) => !path.startsWith("test/fixtures/"))
      .map((path) => {
        const text = readFileSync(join(PROJECT, path), "utf8");
        return [path, { text, scan: scanSource(text) }];
      }),
  );
}

function folderOf(path: string): string {
  const parts = path.split("/");
  return parts.length === 2 ? "." : parts[1]!;
}

/** The room of the engine a file is in, if it is in one. */
function roomOf(path: string): string | undefined {
  const [top, folder, room, ...rest] = path.split("/");
  return top === "src" && folder === "engine" && rest.length > 0 ? room : undefined;
}

/** Whether a file is the test of a module: `test/<folder of src>/….test.ts`. */
function isMirrored(path: string): boolean {
  const [top, area] = path.split("/");
  return (
    top === "test" &&
    path.endsWith(".test.ts") &&
    [...sources.keys()].some((source) => folderOf(source) === area)
  );
}

function isRelative(target: string): boolean {
  return target.startsWith(".");
}

function isBuiltin(target: string): boolean {
  return target.startsWith("node:") || target === "bun" || target === "bun:ffi";
}

function packageOf(target: string): string {
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

function resolveImport(from: string, target: string): string {
  return normalize(join(dirname(from), target));
}

/** Imported by another file; a type may also just be part of what its own file exports. */
function isUsed(path: string, name: string): boolean {
  const word = new RegExp(
    `(?<![\\p{ID_Continue}$])${name.replaceAll("$", "\\$")}(?![\\p{ID_Continue}$])`,
    "u",
  );
  const own = sources.get(path)!.scan;
  if (own.exportedTypes.includes(name) && (own.bareCode.match(new RegExp(word, "gu"))?.length ?? 0) > 1)
    return true;
  return [...everything].some(
    ([other, { scan }]) =>
      other !== path &&
      word.test(scan.bareCode) &&
      scan.imports.some((target) => isRelative(target) && resolveImport(other, target) === path),
  );
}
