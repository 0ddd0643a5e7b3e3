/**
 * Reads TypeScript as text, for the tests that watch over the source itself.
 *
 * In goes a file's text; out come its imports, exports, strings and its code without
 * comments. Type-only imports count, which is why no transpiler is asked.
 */

export interface ScannedSource {
  /** Comments blanked. */
  readonly code: string;
  /** Comments, strings and regular expressions blanked. */
  readonly bareCode: string;
  /** Contents of string and template literals. */
  readonly strings: readonly string[];
  /** Every module named by an import of any kind, a re-export, `require` or `new Worker`. */
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  /** Those of the exports that are declared as an interface or a type. */
  readonly exportedTypes: readonly string[];
  readonly hasDefaultExport: boolean;
}

/** Good enough for formatted code: regular expressions are told from divisions by what stands before. */
export function scanSource(text: string): ScannedSource {
  const strings: string[] = [];
  const code = text.replace(TOKEN, (token) => {
    if (token.startsWith("//") || token.startsWith("/*")) return blank(token);
    if (!token.startsWith("/")) strings.push(token.slice(1, -1));
    return token;
  });
  const bareCode = code.replace(TOKEN, blank);
  return {
    code,
    bareCode,
    strings,
    imports: IMPORTS.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!)),
    exports: exportedNames(bareCode),
    exportedTypes: [...bareCode.matchAll(/\bexport\s+(?:interface|type)\s+([\w$]+)/g)].map(
      (match) => match[1]!,
    ),
    hasDefaultExport: /\bexport\s+default\b|\bas\s+default\b/.test(bareCode),
  };
}

const COMMENT = String.raw`\/\*[\s\S]*?\*\/|\/\/[^\n]*`;
const STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\`(?:\\[\s\S]|[^\`\\])*\``;
const REGEXP = String.raw`(?<=(?:[(,=:[!&|?{};>\n]|\breturn|^)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/`;
const TOKEN = new RegExp(`${COMMENT}|${STRING}|${REGEXP}`, "g");

const IMPORTS = [
  /\b(?:import|export)\b[^;"'`()]*?\bfrom\s*["']([^"']+)["']/g,
  /\bimport\s*["']([^"']+)["']/g,
  /\bimport\s*\(\s*["']([^"']+)["']/g,
  /\brequire\s*\(\s*["']([^"']+)["']/g,
  /\bnew\s+Worker\s*\(\s*["']([^"']+)["']/g,
  /\bnew\s+URL\s*\(\s*["'](\.[^"']+)["']/g,
];

const EXPORT_DECLARATION =
  /\bexport\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;

function exportedNames(code: string): string[] {
  const declared = [...code.matchAll(EXPORT_DECLARATION)].map((match) => match[1]!);
  const listed = [...code.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}/g)].flatMap((match) =>
    match[1]!
      .split(",")
      .map(
        (item) =>
          item
            .trim()
            .replace(/^type\s+/, "")
            .split(/\s+as\s+/)
            .at(-1)!,
      )
      .filter((name) => name !== ""),
  );
  return [...declared, ...listed];
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
