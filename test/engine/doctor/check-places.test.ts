import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { checkFutureIndexPlace } from "../../../src/engine/doctor/check-places.ts";
import { Examination } from "../../../src/engine/doctor/examination.ts";
import { TestFolder } from "../../support/test-folder.ts";

describe("checkFutureIndexPlace", () => {
  test("leaves nothing behind where the index can be made", () => {
    using folder = new TestFolder();
    const examination = new Examination();
    checkFutureIndexPlace(examination, folder.at("data/kb/indexes"));
    expect(examination.findings).toEqual([]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("finds that it cannot be made below something that is no folder", () => {
    using folder = new TestFolder();
    folder.write("data", "a file");
    const examination = new Examination();
    checkFutureIndexPlace(examination, folder.at("data/kb/indexes"));
    expect(examination.findings).toMatchObject([{ id: "index-folder", severity: "error" }]);
  });
});
