import { expect, test } from "bun:test";
import { isOnRemoteFileSystem } from "../../src/source/remote-file-system.ts";

test("a file system of the machine's own is not remote, nor is one that is not there", () => {
  expect(isOnRemoteFileSystem("/proc")).toBe(false);
  expect(isOnRemoteFileSystem("/nowhere/at/all")).toBe(false);
});
