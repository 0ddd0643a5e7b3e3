/**
 * Damages index files at random and tells what went wrong: `bun scripts/damage-rounds.ts [rounds]`.
 *
 * Of the rounds (default 100) for each file of an index, most flip one to three bits; some fill or
 * copy over a stretch, or cut the file. Needs dist/kb. Ends with 1 if anything was wrong. How
 * a round is judged is in `test/support/damage-rounds.ts`.
 */
import { type Damage, DamageStage } from "../test/support/damage-rounds.ts";

const rounds = Number(process.argv[2] ?? 100);
let failures = 0;
for (const suffix of ["", "-wal", "-shm"] as const) {
  using stage = await DamageStage.make(suffix);
  const noticed: Record<string, number> = {};
  for (let round = 0; round < (suffix === "" ? rounds : rounds / 4); round++) {
    const damage = chooseDamage(stage.bytes);
    const { problems, noticedBy } = await stage.round(damage);
    noticed[noticedBy] = (noticed[noticedBy] ?? 0) + 1;
    if (problems.length > 0) failures++;
    for (const problem of problems) console.log(`index.db${suffix}, ${JSON.stringify(damage)}: ${problem}`);
  }
  console.log(`index.db${suffix}: noticed by ${JSON.stringify(noticed)}`);
}
console.log(`${failures} rounds with a problem`);
process.exit(failures === 0 ? 0 : 1);

function chooseDamage(bytes: number): Damage {
  const below = (limit: number) => Math.floor(Math.random() * limit);
  const chance = Math.random();
  if (chance < 0.7)
    return { kind: "flip bits", bits: Array.from({ length: 1 + below(3) }, () => below(bytes * 8)) };
  if (chance < 0.8) return { kind: "zeros", at: below(bytes), bytes: 1 + below(8192) };
  if (chance < 0.9) return { kind: "copy of the start", at: below(bytes), bytes: 1 + below(8192) };
  return { kind: "cut", at: below(bytes) };
}
