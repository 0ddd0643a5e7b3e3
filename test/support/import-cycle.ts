/**
 * A cycle among imports, if there is one.
 *
 * In goes what each file imports, by path; how imports are found is `source-scan.ts`, what
 * they may be is decided in `architecture.test.ts`.
 */

/** The paths of one cycle, its first path also at the end; undefined where there is none. */
export function findImportCycle(
  importsOf: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const finished = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): readonly string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (finished.has(path)) return undefined;
    trail.push(path);
    for (const target of importsOf.get(path) ?? []) {
      const cycle = visit(target);
      if (cycle !== undefined) return cycle;
    }
    trail.pop();
    finished.add(path);
    return undefined;
  };
  for (const path of importsOf.keys()) {
    const cycle = visit(path);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
