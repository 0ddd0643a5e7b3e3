import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Engine } from "../../../src/engine/engine.ts";
import { indexOnce, testEngine } from "../../support/test-engine.ts";
import { TestFolder } from "../../support/test-folder.ts";

/** Each with the way its near neighbours are made from a number. */
const FAMILIES: readonly [identifier: string, neighbour: (number: number) => string][] = [
  ["JP-4471-X", (n) => `JP-${4400 + n}-${"XYZ"[n % 3]}`],
  ["E0499", (n) => `E0${500 + n}`],
  ["1.0.21", (n) => `1.${n % 9}.${22 + n}`],
  ["TS 23.501", (n) => `TS 2${n % 9}.${502 + n}`],
  ["gen-itgc", (n) => `gen-itg${"abdefghij"[n % 9]}${n}`],
  ["src/core/query.ts", (n) => `src/core/query-${n}.ts`],
  ["§4.2", (n) => `§${5 + (n % 90)}.${n % 7}`],
  ["GB/s", (n) => `${"KMTP"[n % 4]}B/s`],
  ["user@example.com", (n) => `user${n}@example.com`],
  ["https://example.com/guide/start", (n) => `https://example.com/guide/step-${n}`],
  ["http://example.org/help", (n) => `http://example.org/help/page-${n}`],
  ["www.example.net/faq", (n) => `www.example.net/faq/answer${n}`],
  ["snake_case_name", (n) => `snake_case_name${n}`],
  ["camelCaseName", (n) => `camelCaseName${n}`],
];
const NEIGHBOURS = 40;

describe("searchIndex for identifiers", () => {
  let folder: TestFolder;
  let engine: Engine;
  beforeAll(async () => {
    folder = new TestFolder();
    for (const [family, [identifier, neighbourOf]] of FAMILIES.entries()) {
      folder.write(
        `${family}/exact-en.md`,
        `The value ${identifier} is the one that the audit asked about, see below.\n`,
      );
      folder.write(
        `${family}/exact-ja.md`,
        `監査で問われた値は${identifier}であり、詳しくは下の表に示した通りです。\n`,
      );
      for (let number = 0; number < NEIGHBOURS; number++) {
        const neighbour = neighbourOf(number);
        if (neighbour === identifier) continue;
        folder.write(
          `${family}/en-${number}.md`,
          `The value ${neighbour} is one that the audit asked about too, see below.\n`,
        );
        folder.write(
          `${family}/ja-${number}.md`,
          `監査で問われた値は${neighbour}でもあり、詳しくは下の表に示した通りです。\n`,
        );
      }
    }
    await indexOnce(folder.path);
    engine = testEngine(folder.path);
  }, 60_000);
  afterAll(async () => {
    await engine.close();
    folder[Symbol.dispose]();
  });

  test.each(FAMILIES.map(([identifier], family) => [identifier, family] as const))(
    "ranks both passages with %p first among near neighbours, glued to Japanese text or not",
    async (identifier, family) => {
      const { results } = await engine.search({ query: identifier, limit: 2 });
      expect(results.map((hit) => hit.path).sort()).toEqual([
        `${family}/exact-en.md`,
        `${family}/exact-ja.md`,
      ]);
    },
  );
});
