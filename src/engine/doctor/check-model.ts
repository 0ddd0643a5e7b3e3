/**
 * The check of the model: texts whose vectors are known are embedded, here and now.
 *
 * In go the cache folder and the runtime that is wanted. Where the native library fails or computes
 * nonsense, WebAssembly is tried as well, so that the remedy is known to work. That a library takes the
 * whole process down is seen by `check-model-apart.ts`.
 */
import type { RuntimeKind } from "../../core/embedder.ts";
import { type ModelTrial, tryModel } from "../../embed/model-trial.ts";
import { AppError, messageOf } from "../../errors.ts";
import { CACHE_HINT } from "../../native/extract.ts";
import { splitRemedy } from "../problem-text.ts";
import type { Examination } from "./examination.ts";

/** Embeds known texts; where the native library fails, WebAssembly is tried as well. */
export async function checkModel(
  examination: Examination,
  cacheFolder: string,
  wanted: RuntimeKind | undefined,
): Promise<void> {
  const first = await attemptModel(cacheFolder, wanted);
  if (isWorking(first)) {
    tellModel(examination, first);
    const { problem } = first.runtime;
    if (problem !== undefined) {
      const [sentence, remedy] = splitRemedy(problem, CACHE_HINT);
      examination.warn("runtime", sentence, remedy);
    }
    return;
  }
  const failure = describeFailure(first);
  const second = wanted === "wasm" ? first : await attemptModel(cacheFolder, "wasm");
  if (isWorking(second)) {
    tellModel(examination, second);
    const sentence = wanted === "native" ? failure : `${failure}; as WebAssembly the model works`;
    const remedy =
      wanted === "native" && first instanceof AppError && first.hint !== undefined
        ? first.hint
        : "Set KB_RUNTIME=wasm, and please report this.";
    examination.find({ id: "runtime", severity: "error", sentence, remedy });
    return;
  }
  findBrokenModel(examination, describeFailure(second));
}

/** Neither runtime works. @param failure Of the last one, without a full stop. */
export function findBrokenModel(examination: Examination, failure: string): void {
  examination.tell("model", "does not work");
  examination.find({
    id: "model",
    severity: "error",
    sentence: `the model does not work on this machine: ${failure}`,
    remedy:
      "Download kb again and compare its checksum; searching by words works without the model. Please report it.",
  });
}

type Attempt = ModelTrial | AppError;

async function attemptModel(cacheFolder: string, runtime: RuntimeKind | undefined): Promise<Attempt> {
  try {
    return await tryModel(cacheFolder, runtime);
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    return new AppError("model", messageOf(thrown), { cause: thrown });
  }
}

function isWorking(attempt: Attempt): attempt is ModelTrial {
  return !(attempt instanceof AppError) && attempt.isRight;
}

function describeFailure(attempt: Attempt): string {
  if (attempt instanceof AppError) return attempt.message;
  return `${attempt.runtime.name} computes wrong vectors (cosine ${attempt.cosine.toFixed(3)} to the right ones)`;
}

function tellModel(examination: Examination, { runtime, texts, cosine }: ModelTrial): void {
  const why = runtime.reason === undefined ? "" : ` (${runtime.reason})`;
  examination.tell(
    "model",
    `${runtime.name}${why}: ${texts} texts have the vectors they should (cosine ${cosine.toFixed(4)})`,
  );
}
