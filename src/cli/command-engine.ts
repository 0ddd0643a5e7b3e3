/**
 * The engine a command works with: its root and configuration as the shared options say.
 *
 * What the configuration may not say is told at once. Whoever gets the engine closes it
 * (`await using`).
 */
import { type Engine, openEngine } from "../engine/engine.ts";
import type { EngineOptions } from "../engine/engine-options.ts";
import type { CommandContext } from "./command.ts";

export interface CommandEngineOptions {
  /** The folder, if the command has it otherwise than by `--kb`. */
  readonly named?: string | undefined;
  /** Whether the working directory itself may be the folder. */
  readonly mayUseCwd: boolean;
  /** As `EngineOptions` says. */
  readonly isServer?: boolean;
  /** As `EngineOptions` says. */
  readonly asksMany?: boolean;
  readonly readers?: EngineOptions["readers"];
}

/** @throws {AppError} As `openEngine`. */
export function openCommandEngine(
  { arguments: { values }, environment, output }: CommandContext,
  {
    named = values.get("kb")?.at(-1),
    mayUseCwd,
    isServer = false,
    asksMany = isServer,
    readers,
  }: CommandEngineOptions,
): Engine {
  const configFile = values.get("config")?.at(-1);
  const engine = openEngine({
    ...{ root: { named, mayUseCwd }, configFile, environment, isServer, asksMany, readers },
  });
  for (const warning of engine.warnings) output.warn(`kb: ${warning}`);
  return engine;
}
