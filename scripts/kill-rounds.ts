/**
 * Kills indexing runs at many moments and tells what went wrong: `bun scripts/kill-rounds.ts [rounds]`.
 *
 * In each scene about a third of the rounds (default 60) kill after a random time, some after a
 * change in the index folder, and the rest as a system call that changes files is entered, spread
 * evenly over all of the run's; those need `strace`, which also lets some of them fail as on a
 * broken or full disk. Needs dist/kb. Ends with 1 if anything was
 * wrong. How a round is judged is in `test/support/kill-rounds.ts`.
 */
import { type KillMoment, KillStage, SCENES } from "../test/support/kill-rounds.ts";

/** All by which SQLite and we change files. */
const CALLS = [
  "pwrite64",
  "ftruncate",
  "fsync",
  "fdatasync",
  "rename",
  "link",
  "linkat",
  "unlink",
  "mkdir",
  "write",
];

const DISK_ERRORS = ["EIO", "ENOSPC", "ENOSPC+"] as const;

const rounds = Number(process.argv[2] ?? 60);
const hasStrace = Bun.which("strace") !== null;
if (!hasStrace) console.log("strace is not installed: no kills at chosen system calls");

let kills = 0;
let failures = 0;
for (const scene of SCENES) {
  using stage = await KillStage.make(scene);
  let sceneKills = 0;
  for (const moment of await chooseMoments(stage)) {
    const { isStopped, problems } = await stage.round(moment);
    if (isStopped) sceneKills++;
    if (problems.length > 0) failures++;
    for (const problem of problems) console.log(`${scene.name}, ${JSON.stringify(moment)}: ${problem}`);
  }
  kills += sceneKills;
  console.log(`${scene.name}: ${sceneKills} runs stopped`);
}
console.log(`${kills} stopped runs in all, ${failures} rounds with a problem`);
process.exit(failures === 0 ? 0 : 1);

async function chooseMoments(stage: KillStage): Promise<KillMoment[]> {
  const startedAt = performance.now();
  await stage.round({ afterMs: 60_000 });
  const wholeMs = (performance.now() - startedAt) / 2;
  const timed = Array.from({ length: Math.ceil(rounds / 3) }, () => ({ afterMs: Math.random() * wholeMs }));
  const changed = Array.from({ length: Math.ceil(rounds / 6) }, (_, n) => ({ afterChanges: 1 + n }));
  if (!hasStrace) return [...timed, ...changed];
  const calls = [...(await stage.countCalls(CALLS))];
  // Rare calls are where names change hands, so every one of them is a moment.
  const share = Math.max(1, Math.ceil(rounds / 4));
  const called = calls.flatMap(([call, count]) => {
    const step = Math.max(1, count / share);
    return Array.from({ length: Math.min(count, share) }, (_, n) => ({
      call,
      nth: 1 + Math.floor(n * step),
    }));
  });
  // Without a folder to unpack to the model runs elsewhere, and rounds vectors in another way.
  const failed = called
    .filter(({ call }) => call !== "mkdir")
    .map(({ call, nth }) => ({ call, nth, error: DISK_ERRORS[nth % DISK_ERRORS.length]! }));
  return [...timed, ...changed, ...called, ...failed];
}
