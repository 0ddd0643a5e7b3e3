/**
 * How this very program is started again: the compiled executable, or Bun with the entry file.
 */
import { IS_COMPILED } from "../native/compiled.ts";

/** Command and first arguments; append a command of `kb`. */
export function ownCommand(): string[] {
  return IS_COMPILED ? [process.execPath] : [process.execPath, Bun.main];
}
