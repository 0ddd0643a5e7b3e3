import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { normalizeText } from "../../../src/core/normalize.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

describe("searchIndex with exclusions", () => {
  let folder: TestFolder;
  let engine: Engine;
  beforeAll(async () => {
    folder = new TestFolder();
    const towns = ["東京", "大阪", "ﾅｺﾞﾔ", "Café", "AI", "C++", "札幌"];
    for (let note = 0; note < 300; note++)
      folder.write(
        `${note}.md`,
        `# 会議 ${note}\n\n## ${towns[(note + 3) % 7]}の部\n\n今週の会議は${towns[note % 7]}支社で開き、議題 ${note} を話し合った。\n`,
      );
    await indexOnce(folder.path);
    engine = testEngine(folder.path);
  });
  afterAll(async () => {
    await engine.close();
    folder[Symbol.dispose]();
  });

  test.each([
    ["会議 -東京", "東京"],
    ["会議 -大阪支社", "大阪支社"],
    ["会議 -ナゴヤ", "ナゴヤ"],
    ["会議 -cafe", "cafe"],
    ["会議 -AI", "AI"],
    ["会議 -c++", "c++"],
    ['会議 -"札"', "札"],
    ['会議 -"の部"', "の部"],
  ])(
    "%p gives no hit with %p in any searched field, and as many hits as there are",
    async (query, excluded) => {
      const { results, filter_applied } = await engine.search({ query, limit: 1000 });
      expect(filter_applied.exclude_terms).toEqual([excluded]);
      const folded = normalizeText(excluded);
      const has = (text: string) => normalizeText(text).includes(folded);
      for (const hit of results)
        expect([hit.heading ?? "", ...hit.heading_path, hit.title, hit.content].some(has)).toBe(false);
      const all = (await engine.search({ query: "会議", limit: 1000 })).results;
      const passing = all.filter((hit) => ![hit.title, ...hit.heading_path, hit.content].some(has));
      expect(results.map((hit) => hit.path).sort()).toEqual(passing.map((hit) => hit.path).sort());
    },
  );

  test("the explicit list works also where the syntax is off", async () => {
    folder.write("kb.toml", "[search]\nexclusions = false\n");
    const other = testEngine(folder.path);
    const literal = await other.search({ query: "会議 -東京" });
    expect(literal.filter_applied.exclude_terms).toBeUndefined();
    const listed = await other.search({ query: "会議", exclude: ["東京"] });
    expect(listed.filter_applied.exclude_terms).toEqual(["東京"]);
    await other.close();
    folder.remove("kb.toml");
  });

  test("refuses more than 16 by number", () => {
    const query = `会議 ${Array.from({ length: 17 }, (_, number) => `-word${number}`).join(" ")}`;
    expect(engine.search({ query })).rejects.toThrow("17");
  });
});

describe("searchIndex for short words", () => {
  test.each([
    ["東京", "tokyo.md"],
    ["税", "tax.md"],
    ["ＡＩ", "ai.md"],
    ["Go", "go.md"],
    ["C++", "cpp.md"],
    ["C#", "csharp.md"],
    ["R", "r.md"],
    [".NET", "dotnet.md"],
    ["Q&A", "qa.md"],
    ['"鍵"', "key.md"],
    ["ﾃﾞｰﾀ", "data.md"],
    ["JP-4471-X", "jp.md"],
    ["gen-itgc", "itgc.md"],
    ["1.0.21", "version.md"],
  ])("finds %p first without vectors, and marks it", async (query, path) => {
    using folder = new TestFolder();
    const texts: Record<string, string> = {
      "tokyo.md": "来月の展示会は東京で開かれることに決まりました。",
      "tax.md": "今年度から税の計算方法が変わるので注意してください。",
      "ai.md": "社内ではAIの利用が認められているが、入力には制限がある。",
      "go.md": "The gateway is written in Go and compiled for three platforms.",
      "cpp.md": "The firmware is written in C++ and needs a recent compiler.",
      "csharp.md": "The desktop client is written in C# by an external team.",
      "r.md": "The monthly statistics are computed with R on a small server.",
      "dotnet.md": "The old portal runs on .NET and will be replaced in spring.",
      "qa.md": "よくある質問はQ&Aのページにまとめてあります。",
      "key.md": "倉庫の鍵は総務の金庫に保管し、貸し出しを記録する。",
      "data.md": "計測したデータは毎晩まとめて本社のサーバーへ送られる。",
      "jp.md": "流量計JP-4471-Xは屋外でも使える防水の型番です。",
      "jp-other.md": "圧力計JP-4417-Xは屋内だけで使う小型の型番です。",
      "itgc.md": "証跡は重跑gen-itgc後に保存されることになっている。",
      "version.md": "不具合は1.0.21で直り、それより前の版には残っている。",
      "version-other.md": "不具合は1.0.2で見つかり、回避の方法が案内されている。",
      "said.md": "He said that going there again would be good for all of them.",
    };
    for (const [name, text] of Object.entries(texts)) folder.write(name, `${text}\n`);
    await indexOnce(folder.path, undefined, { vectors: false });
    const engine = testEngine(folder.path);
    const { results } = await engine.search({ query });
    await engine.close();
    expect(results[0]?.path).toBe(path);
    const [span] = results[0]?.match_spans ?? [];
    const marked = Buffer.from(results[0]?.content ?? "")
      .subarray(span?.start, span?.end)
      .toString();
    expect(normalizeText(marked)).toBe(normalizeText(query.replaceAll('"', "")));
  });
});
