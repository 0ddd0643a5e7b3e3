import { describe, expect, test } from "bun:test";
import { shellWord } from "../../src/core/shell-word.ts";

const ODD = ["a b", "it's", "$(reboot)", "a;b", "", "a\nb", "-rf", "`x`", "*", "a\\b", '"', "~/x", "メモ 帳"];

describe("shellWord", () => {
  test.each(["/home/me/notes", "C:/notes", "./a.md", "メモ/日本語.md", "a_b-c+d,e@f:1%"])(
    "leaves %j as it is",
    (text) => {
      expect(shellWord(text)).toBe(text);
    },
  );

  test.skipIf(process.platform === "win32").each(ODD)("makes one word of %j for a shell", (text) => {
    const { stdout } = Bun.spawnSync(["sh", "-c", `printf '%s|' ${shellWord(text)}`]);
    expect(stdout.toString()).toBe(`${text}|`);
  });
});
