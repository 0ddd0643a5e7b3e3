/** Where unpacked files go, for each platform and environment. */
import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import { findCacheFolder } from "../../src/native/cache-folder.ts";

describe("findCacheFolder", () => {
  test.each([
    ["linux", {}, "/home/me/.cache/kb"],
    ["linux", { XDG_CACHE_HOME: "/var/cache/me" }, "/var/cache/me/kb"],
    ["linux", { XDG_CACHE_HOME: "relative" }, "/home/me/.cache/kb"],
    ["linux", { XDG_CACHE_HOME: "" }, "/home/me/.cache/kb"],
    ["linux", { KB_CACHE_DIR: "" }, "/home/me/.cache/kb"],
    ["linux", { KB_CACHE_DIR: "/opt/kb", XDG_CACHE_HOME: "/var/cache/me" }, "/opt/kb"],
    ["linux", { KB_CACHE_DIR: "here" }, resolve("here")],
    ["darwin", { XDG_CACHE_HOME: "/var/cache/me" }, "/home/me/Library/Caches/kb"],
    ["win32", { LOCALAPPDATA: "/local" }, "/local/kb"],
    ["win32", {}, "/home/me/AppData/Local/kb"],
  ])("on %s with %j is %p", (platform, env, folder) => {
    expect(findCacheFolder(env, platform, "/home/me")).toBe(folder);
  });
});
