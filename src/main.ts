/**
 * The entry: argv -> dispatch -> exit code, and the one place where failures end.
 *
 * An `AppError` is something the user can act on; a closed pipe is a reader who has
 * seen enough; everything else is a bug and says so.
 */
import { dispatch, outputFor } from "./cli/dispatch.ts";
import { ClosedPipe } from "./cli/output.ts";
import { AppError, EXIT, EXIT_OF_FAILURE } from "./errors.ts";

async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  const output = outputFor(argv);
  try {
    const environment = { variables: process.env, cwd: process.cwd(), platform: process.platform };
    return await dispatch(argv, environment, output);
  } catch (thrown) {
    if (thrown instanceof ClosedPipe) return EXIT.done;
    if (thrown instanceof AppError) {
      output.fail(thrown);
      return EXIT_OF_FAILURE[thrown.code];
    }
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    output.warn(`kb: this is a bug in kb, please report it with the lines below\n${stack}`);
    return EXIT.bug;
  }
}

process.exit(await main());
