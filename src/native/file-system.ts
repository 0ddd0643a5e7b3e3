/**
 * What kind of disk a path is on: its file system, its free space, and whether a network or
 * another program stands behind it.
 *
 * In goes a path, which need not exist yet; out comes what the system tells, read only. What
 * that means for an index is said in `engine/doctor/check-places.ts`.
 */
import { existsSync, readFileSync, realpathSync, statfsSync } from "node:fs";
import { dirname } from "node:path";

export interface FileSystem {
  /** As the system calls it, such as `ext4`, `nfs4` or `fuse.sshfs`; undefined where it is not told. */
  readonly kind: string | undefined;
  /** Whether it may not run programs. */
  readonly isNoexec: boolean;
  /** For this user, in bytes; undefined where it is not told. */
  readonly freeBytes: number | undefined;
}

/** Answers for the nearest folder at or above `path` that exists. */
export function describeFileSystem(path: string): FileSystem {
  const existing = nearestExisting(path);
  const mount = findMount(listMounts(), existing);
  return {
    kind: mount?.kind ?? (existing.startsWith("\\\\") ? "network share" : undefined),
    isNoexec: mount?.options.includes("noexec") ?? false,
    freeBytes: findFreeBytes(existing),
  };
}

/** Whether files of such a file system lie on another machine, as far as its name tells. */
export function isNetworkKind(kind: string): boolean {
  return NETWORK_KIND.test(kind);
}

/** The service that copies the folder to other machines, as far as its path tells; undefined if none does. */
export function findCloudService(path: string): string | undefined {
  const names = path.split(/[/\\]/);
  return CLOUD_SERVICES.find(({ name }) => names.some((part) => name.test(part)))?.service;
}

/** A mounted file system. */
export interface Mount {
  readonly folder: string;
  readonly kind: string;
  readonly options: readonly string[];
}

/** Reads the form of `/proc/self/mounts` (Linux). */
export function parseMountTable(text: string): Mount[] {
  return text.split("\n").flatMap((line) => {
    const [, folder, kind, options] = line.split(" ");
    if (folder === undefined || kind === undefined) return [];
    return [{ folder: unescapeOctal(folder), kind, options: options?.split(",") ?? [] }];
  });
}

/** Reads what `mount` prints on macOS: `//me@host/share on /Volumes/share (smbfs, nodev, noexec)`. */
export function parseMountOutput(text: string): Mount[] {
  return [...text.matchAll(/^.* on (\/.*) \(([^()]*)\)$/gm)].map(([, folder, words]) => {
    const [kind, ...options] = words!.split(", ");
    return { folder: folder!, kind: kind!, options };
  });
}

/** The mount a canonical path is on: the deepest one, of several at one place the last. */
export function findMount(mounts: readonly Mount[], path: string): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of mounts)
    if (isAtOrBelow(path, mount.folder) && mount.folder.length >= (found?.folder.length ?? 0)) found = mount;
  return found;
}

/** Not those of a virtual machine and its host (9p, virtiofs), which are one machine. */
const NETWORK_KIND =
  /^(?:nfs\d?|cifs|smb[23]|smbfs|afpfs|webdav|davfs2?|afs|ceph|glusterfs|lustre|ncpfs|network share|fuse\.(?:sshfs|rclone|s3fs|gcsfuse|goofys|blobfuse2?|ceph|ceph-fuse|glusterfs|juicefs|davfs2?|curlftpfs|gvfsd-fuse|smbnetfs|google-drive-ocamlfuse|onedriver|kio-fuse)|(?:mac|osx)fuse|nfsclient)$/;

/** As the services name their folders; those with an account's name only below CloudStorage (macOS). */
const CLOUD_SERVICES = [
  { service: "iCloud", name: /^(?:Mobile Documents|iCloud ?Drive)$/i },
  { service: "OneDrive", name: /^OneDrive(?: - .+)?$/i },
  { service: "Dropbox", name: /^Dropbox(?: \(.+\))?$/i },
  { service: "Google Drive", name: /^(?:Google ?Drive(?: \(.+\))?|My Drive)$/i },
  { service: "a cloud service", name: /^CloudStorage$/ },
] as const;

function listMounts(): Mount[] {
  if (process.platform === "linux") return parseMountTable(readFileIfAny("/proc/self/mounts"));
  if (process.platform !== "darwin") return [];
  try {
    return parseMountOutput(Bun.spawnSync(["/sbin/mount"]).stdout.toString());
  } catch {
    return []; // then the kind is not known
  }
}

function readFileIfAny(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // then the kind is not known
  }
}

function findFreeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined; // it cannot be asked, which is no sign of a full disk
  }
}

function nearestExisting(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    return realpathSync.native(folder);
  } catch {
    return folder; // a folder above may not be looked into
  }
}

function isAtOrBelow(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** Blanks and the like stand in the table as three octal digits. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
