/**
 * How a setting is defined: its type with default, and what the documentation says of it.
 *
 * The settings themselves are in `schema.ts` and the files that it puts together.
 */
import { z } from "zod";

/** What a setting's definition says beside its type and default. */
export interface SettingMeta {
  /** What it does and when to change it; one sentence. */
  readonly sentence: string;
  /** Unit of the value, or the kind of thing it is. */
  readonly unit: string;
  /** Legal values, in words or as an interval. */
  readonly range: string;
}

// Compiling each check before its one use costs a start 3 ms and saves nothing.
z.config({ jitless: true });

/** The type, with its description attached. */
export const setting = <T extends z.ZodType>(type: T, meta: SettingMeta): T => type.meta({ ...meta }) as T;
