import { describe, expect, test } from "bun:test";
import {
  describeFileSystem,
  findCloudService,
  findMount,
  isNetworkKind,
  parseMountOutput,
  parseMountTable,
} from "../../src/native/file-system.ts";
import { TestFolder } from "../support/test-folder.ts";

const TABLE = [
  "/dev/sda1 / ext4 rw,relatime 0 0",
  "tmpfs /tmp tmpfs rw,nosuid,noexec 0 0",
  "server:/export /mnt/team nfs4 rw,vers=4.2 0 0",
  "//server/share /mnt/with\\040blank cifs rw 0 0",
  "me@host: /home/me/far fuse.sshfs rw 0 0",
  "overlay /mnt/team overlay rw 0 0",
  "",
].join("\n");

describe("parseMountTable", () => {
  test("reads folder, kind and options, blanks included", () => {
    const mounts = parseMountTable(TABLE);
    expect(mounts).toHaveLength(6);
    expect(mounts[1]).toEqual({ folder: "/tmp", kind: "tmpfs", options: ["rw", "nosuid", "noexec"] });
    expect(mounts[3]).toMatchObject({ folder: "/mnt/with blank", kind: "cifs" });
  });

  test("makes nothing of nothing", () => {
    expect(parseMountTable("")).toEqual([]);
  });
});

describe("parseMountOutput", () => {
  test("reads what mount prints on macOS", () => {
    const text = [
      "/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)",
      "//me@nas/team on /Volumes/team notes (smbfs, nodev, nosuid, mounted by me)",
    ].join("\n");
    expect(parseMountOutput(text)).toEqual([
      { folder: "/", kind: "apfs", options: ["sealed", "local", "read-only", "journaled"] },
      { folder: "/Volumes/team notes", kind: "smbfs", options: ["nodev", "nosuid", "mounted by me"] },
    ]);
  });
});

describe("findMount", () => {
  const rows: [path: string, kind: string][] = [
    ["/", "ext4"],
    ["/home/me/notes", "ext4"],
    ["/tmp/x", "tmpfs"],
    ["/tmpx", "ext4"],
    ["/home/me/far/a/b", "fuse.sshfs"],
    ["/mnt/with blank/a", "cifs"],
    ["/mnt/team", "overlay"],
  ];
  test.each(rows)("finds what %s is on: the deepest, and of several the last", (path, kind) => {
    expect(findMount(parseMountTable(TABLE), path)?.kind).toBe(kind);
  });

  test("finds nothing in an empty table", () => {
    expect(findMount([], "/a")).toBeUndefined();
  });
});

describe("isNetworkKind", () => {
  test.each(["nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "fuse.rclone", "afpfs", "network share"])(
    "says yes to %s",
    (kind) => {
      expect(isNetworkKind(kind)).toBe(true);
    },
  );

  test.each(["ext4", "btrfs", "apfs", "overlay", "tmpfs", "zfs", "fuseblk", "fuse.mergerfs", "9p", "NTFS"])(
    "says no to %s",
    (kind) => {
      expect(isNetworkKind(kind)).toBe(false);
    },
  );
});

describe("findCloudService", () => {
  const rows: [path: string, service: string | undefined][] = [
    ["/Users/me/Library/Mobile Documents/com~apple~CloudDocs/notes/.kb", "iCloud"],
    ["/Users/me/Library/CloudStorage/OneDrive-Work/notes", "a cloud service"],
    ["/Users/me/Library/CloudStorage/GoogleDrive-me@example.com/My Drive/notes", "Google Drive"],
    ["/Users/me/Library/CloudStorage/Dropbox/notes", "Dropbox"],
    ["/Users/me/Library/CloudStorage/Box-Box/notes", "a cloud service"],
    ["C:\\Users\\me\\OneDrive - Company\\notes", "OneDrive"],
    ["C:\\Users\\me\\iCloudDrive\\notes", "iCloud"],
    ["/home/me/Dropbox (Personal)/notes", "Dropbox"],
    ["/home/me/dropbox/notes", "Dropbox"],
    ["/home/me/notes/onedrive-setup.md", undefined],
    ["/home/me/notes about Dropbox", undefined],
    ["/home/me/notes", undefined],
  ];
  test.each(rows)("knows %s", (path, service) => {
    expect(findCloudService(path)).toBe(service);
  });
});

describe("describeFileSystem", () => {
  test("tells of a folder that is there, and the same of one below it that is not", () => {
    using folder = new TestFolder();
    const here = describeFileSystem(folder.path);
    expect(here.freeBytes).toBeGreaterThan(0);
    if (process.platform === "linux") expect(here.kind).toBeString();
    expect(describeFileSystem(folder.at("not", "there")).kind).toBe(here.kind);
  });
});
