/**
 * What the manifest promises: exact versions, no registry, nothing that runs at install time, one Bun.
 *
 * Where each package may be used is part of the architecture (`architecture.test.ts`).
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PROJECT = join(import.meta.dir, "..");

describe("packages", () => {
  const manifest = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };

  test("are pinned to exact versions", () => {
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test("are locked without naming a registry", () => {
    expect(readFileSync(join(PROJECT, "bun.lock"), "utf8").match(/https?:\/\/[^"]*/)).toBeNull();
  });

  test("run at install time nothing of their own", () => {
    expect(manifest).not.toHaveProperty("trustedDependencies");
  });

  test("use one Bun: scripts start the version that is pinned", () => {
    for (const script of Object.values(manifest.scripts))
      expect(script).toContain(`bun@${manifest.devDependencies["bun"]} `);
  });
});
