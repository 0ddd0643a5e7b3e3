import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { classOf } from "../../../src/core/query/groups.ts";
import { splitRuns } from "../../../src/core/query/runs.ts";

describe("splitRuns", () => {
  test.each([
    ["", ""],
    ["検索器", "検索器"],
    ["東京の天気", "東京·の·天気"],
    ["全文検索エンジンの選び方", "全文検索·エンジン·の·選·び·方"],
    ["人々の暮らし", "人々·の·暮·らし"],
    ["〆切を守る", "〆切·を·守·る"],
    ["ﾗｰﾒﾝ屋", "ﾗｰﾒﾝ·屋"],
    ["ログ・監視", "ログ・·監視"],
    ["ハ\u3099ックアップ", "ハ·\u3099·ックアップ"],
    ["か\u3099くせい", "か\u3099くせい"],
    ["𠮟責する", "𠮟·責·する"],
    ["𠀋𠀋𠀋", "𠀋𠀋𠀋"],
    ["二〇二六年度", "二·〇·二六年度"],
    ["10月5日", "10·月·5·日"],
    ["UTF-8文字化け", "UTF-8·文字化·け"],
    ["運用手順-改訂版", "運用手順·-·改訂版"],
    ["日本語ABCカナかな漢字", "日本語·ABC·カナ·かな·漢字"],
    ["snake_case", "snake_case"],
  ])("cuts %j into %j", (group, runs) => {
    expect(
      splitRuns(group)
        .map(({ text }) => text)
        .join("·"),
    ).toBe(runs);
  });

  test("counts characters, not UTF-16 units", () => {
    expect(splitRuns("𠀋𠀋漢")).toEqual([
      { text: "𠀋𠀋", charCount: 2 },
      { text: "漢", charCount: 1 },
    ]);
  });

  test("gives runs of one class that differ from their neighbours and join to the group", () => {
    const unit = fc.constantFrom(..."漢字々かなカナー・ABz09_-〇𠮟");
    fc.assert(
      fc.property(fc.string({ unit }), (group) => {
        const runs = splitRuns(group);
        expect(runs.map(({ text }) => text).join("")).toBe(group);
        const classes = runs.map(({ text, charCount }) => {
          const chars = [...text];
          expect(chars).toHaveLength(charCount);
          expect(new Set(chars.map(classOf)).size).toBe(1);
          return classOf(chars[0]!);
        });
        for (const [at, name] of classes.entries()) expect(classes[at + 1]).not.toBe(name);
      }),
    );
  });
});
