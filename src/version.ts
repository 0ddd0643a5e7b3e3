/**
 * Version and commit of this build. `scripts/build.ts` defines both when it compiles;
 * run from the source tree they come from package.json and say so.
 */
import manifest from "../package.json" with { type: "json" };

declare const KB_COMMIT: string | undefined;

/** Semantic version, such as `0.1.0`. */
export const VERSION: string = manifest.version;

/** Short commit hash of the build; `source` when not compiled. */
export const COMMIT: string = typeof KB_COMMIT === "string" ? KB_COMMIT : "source";
