/**
 * Checks of the disks that hold the documents and the index: network, cloud, space.
 *
 * SQLite's locks and its shared memory are not to be relied on across a network, and a service that copies a
 * database while it is written copies it broken. What a disk is, `native/file-system.ts` knows.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { describeFileSystem, findCloudService, isNetworkKind } from "../../native/file-system.ts";
import { findWriteProblem } from "../../native/write-trial.ts";
import type { Examination } from "./examination.ts";

/** Looks at the folder of documents, which may lie anywhere; only named here. */
export function tellFolder(examination: Examination, root: string): void {
  const { kind } = describeFileSystem(root);
  const traits = [kind, findCloudService(root)].filter((trait) => trait !== undefined);
  examination.tell("folder", traits.length === 0 ? root : `${root} (${traits.join(", ")})`);
}

/**
 * Looks at the folder that holds the index, or would.
 *
 * @param indexBytes Of the index there is; 0 without one.
 */
export function checkIndexPlace(
  examination: Examination,
  root: string,
  directory: string,
  indexBytes: number,
): void {
  const { kind, freeBytes } = describeFileSystem(directory);
  const free = freeBytes === undefined ? undefined : `${megabytes(freeBytes)} free`;
  const traits = [kind, free].filter((trait) => trait !== undefined);
  examination.tell("index folder", traits.length === 0 ? directory : `${directory} (${traits.join(", ")})`);

  if (kind !== undefined && isNetworkKind(kind))
    examination.warn(
      "network-disk",
      `the index folder ${directory} is on a network disk (${kind}), where two programs can damage a database`,
      elsewhere(root),
    );
  const service = findCloudService(directory);
  if (service !== undefined)
    examination.warn(
      "cloud-folder",
      `${service} copies the index folder ${directory} to other machines, and may copy it half written`,
      elsewhere(root),
    );
  // The new index beside the old one, and its log, which holds all of a large document before the file does.
  const needed = Math.max(MIN_FREE_BYTES, 2 * indexBytes);
  if (freeBytes !== undefined && freeBytes < needed)
    examination.warn(
      "disk-space",
      `the disk that holds the index folder ${directory} has ${megabytes(freeBytes)} left; making the index anew may take ${megabytes(needed)}`,
      "Free some space there.",
    );
}

/** Tries to write where the first index will be made, without making its folder. */
export function checkFutureIndexPlace(examination: Examination, directory: string): void {
  let nearest = directory;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const problem = findWriteProblem(nearest);
  if (problem === undefined) return;
  examination.find({
    id: "index-folder",
    severity: "error",
    sentence: `the index cannot be made in ${directory} (${problem})`,
    remedy: "Make that folder writable, or set HOME to a folder that is.",
  });
}

/** An index grows, and so does its log while it is written. */
const MIN_FREE_BYTES = 200e6;

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(0)} MB`;
}

/** Only a file that is trusted may name a place outside the folder. */
function elsewhere(root: string): string {
  return `Keep the index on a local disk: write  [index]  and below it  index_dir = "/a/local/folder"  into a file of your own outside ${root}, and give it to every kb: --config <file>`;
}
