/**
 * The front matter of a folder against its rules.
 *
 * In go a folder and its rules, out comes what breaks them, file by file. Reads the files, not the index: the
 * same ones that indexing reads. Without rules only front matter that cannot be read as meant is told.
 *
 * snake_case, because `kb validate --json` prints the report as it is.
 */
import { loadFrontMatterSchema } from "../../config/front-matter-schema.ts";
import { loadConfig } from "../../config/load.ts";
import { type Environment, type RootRequest, resolveRoot } from "../../config/paths.ts";
import { type FieldRules, findViolations, type Violation } from "../../core/front-matter-rules.ts";
import { readWrittenFrontMatter, type WrittenFrontMatter } from "../../source/front-matter-values.ts";
import { isMarkdown } from "../../source/parse-document.ts";
import { MAX_DOCUMENT_BYTES, readDocument } from "../../source/read.ts";
import { walkFolder } from "../../source/walk.ts";
import { walkOptionsOf } from "../indexing/stage-settings.ts";

export interface PlacedViolation extends Violation {
  /** Of the file, counted from 1; 1 where there is none of its own. */
  readonly line: number;
}

export interface ValidatedFile {
  readonly path: string;
  /** At least one. */
  readonly violations: readonly PlacedViolation[];
}

export interface ValidationReport {
  /** Canonical. */
  readonly root: string;
  /** Null if the folder has no rules. */
  readonly schema: string | null;
  /** Markdown files that were read. */
  readonly scanned: number;
  readonly violated: number;
  readonly ok: boolean;
  /** Only those with violations, by path. */
  readonly files: readonly ValidatedFile[];
  /** What could not be read, and why. */
  readonly warnings: readonly { readonly path: string; readonly reason: string }[];
}

export interface ValidateOptions {
  readonly root: RootRequest;
  /** Given by `--config`; trusted. */
  readonly configFile: string | undefined;
  readonly environment: Environment;
  /** A file of rules, instead of the folder's own; trusted. */
  readonly schema: string | undefined;
  /** Stops at the first file with a violation. */
  readonly failFast: boolean;
}

/**
 * @throws {AppError} `config` if the configuration or the rules are wrong; `io` if the root cannot be listed; as `resolveRoot`.
 *   A single file never throws.
 */
export function validateFolder({
  root: wanted,
  configFile,
  environment,
  schema: named,
  failFast,
}: ValidateOptions): ValidationReport {
  const root = resolveRoot(wanted, environment);
  const { config, warnings: ignored } = loadConfig(configFile, root, environment);
  const schema = loadFrontMatterSchema(named, root, environment.cwd);
  const rules: FieldRules = schema?.rules ?? new Map();
  const walk = walkFolder(root, walkOptionsOf(config));
  const warnings = [
    ...ignored.map((reason) => ({ path: "kb.toml", reason })),
    ...walk.problems.map(({ path, reason }) => ({ path, reason })),
  ];
  const files: ValidatedFile[] = [];
  let scanned = 0;
  for (const file of walk.files) {
    if (!isMarkdown(file.path)) continue;
    if (failFast && files.length > 0) break;
    const read = readDocument(root, file, { maxBytes: MAX_DOCUMENT_BYTES });
    if (read.kind === "skip") {
      warnings.push({ path: file.path, reason: read.reason });
      continue;
    }
    scanned++;
    const violations = violationsOf(readWrittenFrontMatter(read.text), rules);
    if (violations.length > 0) files.push({ path: file.path, violations });
  }
  const violated = files.length;
  return { root, schema: schema?.file ?? null, scanned, violated, ok: violated === 0, files, warnings };
}

function violationsOf({ values, lines, problems }: WrittenFrontMatter, rules: FieldRules): PlacedViolation[] {
  return [
    ...problems.map((message) => ({ kind: "invalid_front_matter" as const, field: null, message, line: 1 })),
    ...findViolations(values, rules).map((violation) => ({
      ...violation,
      line: (violation.field === null ? undefined : lines.get(violation.field)) ?? 1,
    })),
  ];
}
