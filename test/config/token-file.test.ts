import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { readTokenFile } from "../../src/config/token-file.ts";
import { TestFolder } from "../support/test-folder.ts";

describe("readTokenFile", () => {
  test("gives the secret without its line feed", () => {
    using folder = new TestFolder();
    folder.write("token", `${"a".repeat(43)}\n`);
    chmodSync(folder.at("token"), 0o600);
    expect(readTokenFile(folder.at("token"))).toEqual({ secret: "a".repeat(43), warning: undefined });
  });

  test("warns, with the command, where others may read it", () => {
    using folder = new TestFolder();
    folder.write("token", "a".repeat(43));
    chmodSync(folder.at("token"), 0o644);
    expect(readTokenFile(folder.at("token")).warning).toContain(`chmod 600 ${folder.at("token")}`);
  });

  test.each(["", "short", `${"a".repeat(40)}\n${"b".repeat(40)}`, "鍵".repeat(40), "a".repeat(5000)])(
    "refuses one that holds no secret, and never quotes it",
    (text) => {
      using folder = new TestFolder();
      folder.write("token", text);
      const message = (() => {
        try {
          return readTokenFile(folder.at("token")).secret;
        } catch (thrown) {
          return (thrown as Error).message;
        }
      })();
      expect(message).toStartWith("the token file ");
      if (text !== "") expect(message).not.toContain(text);
    },
  );

  test("names the command that makes one that is missing", () => {
    using folder = new TestFolder();
    expect(() => readTokenFile(folder.at("token"))).toThrow(
      `the token file ${folder.at("token")} cannot be read`,
    );
  });
});
