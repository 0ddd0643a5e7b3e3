/**
 * Whether this code runs inside the compiled executable or from source.
 *
 * Out comes one constant. It decides two things elsewhere: whether embedded
 * files must be unpacked (`extract.ts`) and under which name a worker's entry
 * point is found (`embed/passage-pool.ts`).
 */

/** True inside an executable made by `scripts/build.ts`, where modules live in Bun's virtual file system. */
export const IS_COMPILED: boolean = /\/(?:\$bunfs|~BUN|%7EBUN)\//.test(import.meta.url);
