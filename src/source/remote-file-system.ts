/**
 * Whether a folder lies where others can change it without this system noticing.
 *
 * In goes a folder, out comes the answer by the kind of its file system. On such a one
 * watching (`folder-watch.ts`) succeeds, and sees only what this machine does itself.
 */
import { statfsSync } from "node:fs";

/** False also where that cannot be told, as on systems that number their file systems otherwise. */
export function isOnRemoteFileSystem(folder: string): boolean {
  if (process.platform !== "linux") return false;
  try {
    return REMOTE_KINDS.has(statfsSync(folder).type >>> 0);
  } catch {
    return false; // It is not there, or says nothing of itself.
  }
}

/** Magic numbers of statfs(2): NFS, SMB 1, CIFS, SMB 2, FUSE, 9P, Ceph, AFS, Coda, VirtualBox and VMware folders. */
const REMOTE_KINDS = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f, 0x73757245,
  0x786f4256, 0xbacbacbc,
]);
