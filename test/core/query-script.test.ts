import { describe, expect, test } from "bun:test";
import { scriptOf } from "../../src/core/query-script.ts";

describe("scriptOf", () => {
  test.each([
    ["契約の期限", "japanese"],
    ["GitHub の設定 for Linux", "japanese"],
    ["ｶﾀｶﾅ", "japanese"],
    ["請求書", "han"],
    ["部署 API guide", "han"],
    ["설정 방법", "korean"],
    ["when does the lease expire", "latin"],
    ["Café №5", "latin"],
    ["настройка API и сервера", "cyrillic"],
    ["API настройка", "cyrillic"],
    ["ρύθμιση", "greek"],
    ["المكوّنات", "arabic"],
    ["הגדרות", "hebrew"],
    ["विन्यास", "devanagari"],
    ["การตั้งค่า", "thai"],
    ["404 / 3.0.21", "other"],
    ["", "other"],
  ])("calls %j %s", (query, script) => {
    expect(scriptOf(query)).toBe(script);
  });
});
