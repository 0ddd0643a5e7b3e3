/**
 * What a crash at a passage is remembered by: in goes the embedder, out comes a text that is the same
 * as long as the same may happen again. Whose crash it was is found out in `vector-stage.ts`.
 */
import type { Embedder } from "../../core/embedder.ts";
import { VERSION } from "../../version.ts";

/** Another model, or another build, may bear what this one does not; as `listCrashingTexts` takes it. */
export function crashMaker({ identity }: Pick<Embedder, "identity">): string {
  return `${identity.name}/${VERSION}`;
}
