/**
 * Checks of what is in an index: whether it is complete, and as the folder is now.
 *
 * In go an open index and what is known about its folder; out come findings, each with the run
 * or the step that removes it. While another process writes, what it is about to do is no finding.
 */
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { Embedder } from "../../core/embedder.ts";
import { shellWord } from "../../core/shell-word.ts";
import type { IndexDatabase } from "../../store/open.ts";
import { findRun } from "../../store/run-record.ts";
import { listSkipped, listStaleDocuments } from "../../store/skipped.ts";
import { readStatusCounts, type StatusCounts } from "../../store/status-counts.ts";
import { findFolderChanges } from "../indexing/folder-changes.ts";
import { NOT_PARSED } from "../indexing/prepare-document.ts";
import { describeRun } from "../indexing/run-state.ts";
import { chunkSettingsOf, walkOptionsOf } from "../indexing/stage-settings.ts";
import { compareStages } from "../indexing/stage-versions.ts";
import { CRASHED } from "../indexing/text-plan.ts";
import type { Examination } from "./examination.ts";

export interface ContentCheck {
  readonly root: string;
  readonly db: IndexDatabase;
  readonly config: Config;
  readonly embedder: Pick<Embedder, "identity">;
  /** Whether another process is writing the index now. */
  readonly isBeingWritten: boolean;
}

/** @returns What is in the index. */
export function checkContent(examination: Examination, check: ContentCheck): StatusCounts {
  const { db } = check;
  const counts = readStatusCounts(db);
  const megabytes = (statSync(db.file).size / 1e6).toFixed(1);
  examination.tell("index", `${counts.documents} documents, ${counts.chunks} passages, ${megabytes} MB`);
  if (!check.isBeingWritten) {
    checkRun(examination, check);
    checkPending(examination, check, counts);
    checkStages(examination, check);
    checkChanges(examination, check);
  }
  checkSkipped(examination, check);
  return counts;
}

function checkRun(examination: Examination, { db, root }: ContentCheck): void {
  const run = findRun(db);
  const result = describeRun(run, undefined)?.result;
  examination.tell(
    "last run",
    run === undefined ? "none" : `${run.finishedAt ?? "none finished"}, ${result}`,
  );
  if (result === "done") return;
  examination.warn(
    "unfinished-run",
    result === "interrupted"
      ? "the last indexing run was interrupted before it was done"
      : "the last indexing run was killed or failed before it was done",
    indexCommand(root),
  );
}

function checkPending(
  examination: Examination,
  { root }: ContentCheck,
  { pending, chunks }: StatusCounts,
): void {
  if (pending === 0) return;
  examination.find({
    id: "pending-vectors",
    severity: "warning",
    sentence: `${pending} of ${chunks} passages have no vector yet and are found by their words only`,
    remedy: indexCommand(root),
    count: pending,
  });
}

function checkStages(examination: Examination, { db, config, embedder, root }: ContentCheck): void {
  const { outdated } = compareStages(db, chunkSettingsOf(config), embedder);
  if (outdated === 0) return;
  examination.find({
    id: "outdated-documents",
    severity: "warning",
    sentence: `${outdated} documents were indexed by another version of kb, or with other settings`,
    remedy: indexCommand(root),
    count: outdated,
  });
}

function checkChanges(examination: Examination, { db, root, config }: ContentCheck): void {
  const changes = findFolderChanges(root, db, walkOptionsOf(config), Number.POSITIVE_INFINITY)!;
  const { added, changed, removed, samples } = changes;
  const count = added + changed + removed;
  if (count === 0) examination.tell("changes", "none since the last run");
  examination.findAll(
    {
      id: "changed-files",
      severity: "warning",
      sentence: `files have changed since the last run: ${added} new, ${changed} changed, ${removed} gone`,
      remedy: indexCommand(root),
    },
    samples,
    count,
  );
}

function checkSkipped(examination: Examination, { db, root }: ContentCheck): void {
  const stale = listStaleDocuments(db);
  examination.findAll(
    {
      id: "stale-documents",
      severity: "warning",
      sentence: "documents are searched as they were, since their files cannot be read now",
      remedy: readableAgain(root),
    },
    stale.map(({ path, reason }) => `${path}: ${reason}`),
  );
  const staleHere = new Set(stale.map(({ path }) => path));
  const skipped = listSkipped(db).filter(({ path }) => !staleHere.has(path));
  const closed = skipped.filter(({ isUnreadable }) => isUnreadable);
  const read = skipped.filter(({ isUnreadable }) => !isUnreadable);
  const [failed, unusable] = [read.filter(hasFailed), read.filter((file) => !hasFailed(file))];
  examination.findAll(
    {
      id: "unreadable-files",
      severity: "warning",
      sentence: "files or folders could not be read and are missing in the answers",
      remedy: closed.every(({ path }) => isReadable(join(root, path)))
        ? indexCommand(root)
        : readableAgain(root),
    },
    closed.map(({ path, reason }) => `${path}: ${reason}`),
  );
  const ignoreFile = shellWord(join(root, ".kbignore"));
  const allOfThem = `All of them: kb status --json --kb ${shellWord(root)}`;
  examination.findAll(
    {
      id: "skipped-files",
      severity: "warning",
      sentence: "kb failed at files, which are missing in the answers",
      remedy: `Mend them, or name them in ${ignoreFile}; then: ${indexCommand(root)}. ${allOfThem}`,
    },
    failed.map(({ path, reason }) => `${path}: ${reason}`),
  );
  examination.findAll(
    {
      id: "skipped-files",
      severity: "info",
      sentence: "files hold no text that can be searched, or are too large",
      remedy: `Nothing has to be done; what is named in ${ignoreFile} is not told any more. ${allOfThem}`,
    },
    unusable.map(({ path, reason }) => `${path}: ${reason}`),
  );
}

/** Whether it is missing because of kb, not because of what it is. */
function hasFailed({ reason }: { readonly reason: string }): boolean {
  return reason.startsWith(NOT_PARSED) || reason === CRASHED;
}

function indexCommand(root: string): string {
  return `kb index ${shellWord(root)}`;
}

function readableAgain(root: string): string {
  return `Make them readable (chmod u+r, folders u+rx), then: ${indexCommand(root)}`;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false; // the answer to the question, not a failure
  }
}
