import { describe, expect, test } from "bun:test";
import { qualityOf } from "../../src/core/quality.ts";

describe("qualityOf", () => {
  test.each<[string, string, number]>([
    ["a sentence", "The lighthouse keeper writes an entry each night.", 1],
    ["a Japanese sentence", "灯台守は毎晩、日誌に一行を書き残す。", 1],
    ["a line of a Japanese glossary", "API: 応用プログラムの窓口", 0.71],
    ["a command", "tar xzf archive.tgz -C /opt", 1],
    ["a short command", "ls -la", 0.33],
    ["a command in a code block", "```sh\ngit rebase --interactive --autosquash main\n```", 0.83],
    ["one word", "Yes.", 0.2],
    ["one word of hiragana", "はい。", 0.2],
    ["a task that says what is to be done", "TODO: rotate the signing keys in March", 1],
    ["a word of Thai", "สวัสดีครับ ยินดีต้อนรับ", 1],
    ["ideographs beyond the basic plane", "𠮷𠮷𠮷", 0.2],
    ["prose with links", "See the [guide](/guide) before you change the storage settings.", 1],
  ])("scores %s %p with %p", (_, content, quality) => {
    expect(qualityOf(content)).toBe(quality);
  });

  test.each([
    "",
    " \n\u3000\n ",
    "。。。",
    "---\n***",
    "TBD",
    " todo. ",
    "- [ ] TODO",
    "N/A",
    "COMING SOON...",
    "This page is under construction.",
    "TODO: write this section",
    "**TBD**\n\n- TBD\n- WIP",
    "準備中。",
    "(準備中)",
    "※準備中です",
    "このページは現在準備中です。",
    "詳細は後述する。、 ,",
    "ここに説明を書く",
    "即将推出",
    "![a chart of the load](chart.png)",
    '<img src="chart.png" alt="a chart">',
    "https://example.com/a/very/long/path",
    "[Guide](/guide)",
    "- [Guide](/guide)\n- [Reference of settings](/reference)\n- <https://example.com>",
    "- [まえがき](foreword.md)\n- [はじめに](intro.md)",
    "[enums]: ch06-00-enums.html\n[expect]: https://example.com/enum.html",
    "Introduction ........ 1\nStorage and limits ........ 12",
    "<Card />\n<!-- nothing yet -->",
  ])("scores a text without a word of its own with 0: %p", (content) => {
    expect(qualityOf(content)).toBe(0);
  });

  test("scores a list of links with few words between them below a list with a description of each", () => {
    const bare = qualityOf(`- [One thing and another](/a)\n`.repeat(12).concat("and more"));
    const described = qualityOf("- [Backups](/a): how copies are made, kept and tried each month\n");
    expect(bare).toBeLessThan(0.1);
    expect(described).toBe(1);
  });

  test("counts words that are repeated over and over once", () => {
    expect(qualityOf("All rights reserved by the owner. ".repeat(60))).toBeLessThan(0.2);
  });

  test("takes time in proportion to the text, whatever is opened in it and not closed", () => {
    for (const opening of ["<a ", "[", "![", "[[", "```\n", "`", "<!--", "x....", "[a]("])
      expect(qualityOf(opening.repeat(20_000))).toBeWithin(0, 1.01);
  });
});
