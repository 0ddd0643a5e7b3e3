/**
 * The committed index of an earlier build, and the documents it was made from.
 *
 * It is made by `scripts/fixture-index.ts`, once for each schema version.
 */
import { join } from "node:path";

/** Path and text of each document; they never change, since the index is of these. */
export const FIXTURE_DOCUMENTS: readonly (readonly [path: string, text: string])[] = [
  [
    "runbooks/rollback.md",
    "---\ntitle: Rolling back\ntags: [ops, release]\ndate: 2026-03-04\n---\n# Rolling back\n\nRun `shioctl rollback --to v1.4` on the primary.\n\n## Afterwards\n\nTell the people on call that the release was taken back.\n",
  ],
  [
    "会議/八月.md",
    "# 議事録\n\n八月の定例会議では、検索基盤の移行時期と担当者を決めた。次回は九月に開く。\n",
  ],
  ["notes.txt", "The zirconium valve behind the boiler is tightened before frost.\n"],
];

/** Compressed; there is one for the schema version in use. */
export function fixtureIndexFile(version: number): string {
  return join(import.meta.dir, "..", "fixtures", `index-version-${version}.db.gz`);
}
