import { describe, expect, test } from "bun:test";
import { findWorkLeft, forgetWorkLeft, JOURNAL_NAME, WorkJournal } from "../../src/store/work-journal.ts";
import { TestFolder } from "../support/test-folder.ts";

const names = (...all: string[]) => all.map((name) => JSON.stringify(name));

describe("WorkJournal", () => {
  test("tells what is in hand now, however much was before", () => {
    using folder = new TestFolder();
    using journal = new WorkJournal(folder.path);
    expect(findWorkLeft(folder.path)).toBeUndefined();
    journal.note("files", names("odd \"n'\n😀.md", "b.md"), false);
    const work = { pid: process.pid, files: ["odd \"n'\n😀.md", "b.md"], texts: [], isAlone: false };
    expect(findWorkLeft(folder.path)).toEqual(work);
    journal.note("texts", names("ab"), true);
    expect(findWorkLeft(folder.path)).toEqual({ pid: process.pid, files: [], texts: ["ab"], isAlone: true });
    journal.note("files", names("odd \"n'\n😀.md", "b.md"), false);
    expect(findWorkLeft(folder.path)).toEqual(work);
  });

  test("is gone when the run ends in order, unless it is left to the next", () => {
    using folder = new TestFolder();
    {
      using journal = new WorkJournal(folder.path);
      journal.note("files", names("a.md"), false);
    }
    expect(folder.has(JOURNAL_NAME)).toBe(false);
    const left = { pid: process.pid, files: ["a.md"], texts: [], isAlone: false };
    {
      using journal = new WorkJournal(folder.path);
      journal.leave(left);
    }
    expect(findWorkLeft(folder.path)).toEqual(left);
  });
});

describe("findWorkLeft", () => {
  test.each([
    "",
    "\0\0\0\0",
    '{"pid":1,"isAlone":true,"files":["a.m',
    '{"pid":1}\n',
    '{"pid":1,"files":[1],"texts":[]}\n',
    "null\n",
  ])("blames nothing for %j", (text) => {
    using folder = new TestFolder();
    folder.write(JOURNAL_NAME, text);
    expect(findWorkLeft(folder.path)).toBeUndefined();
  });
});

describe("forgetWorkLeft", () => {
  test("forgets what that process left, and nobody else", () => {
    using folder = new TestFolder();
    folder.write(JOURNAL_NAME, '{"pid":7,"isAlone":false,"files":["a.md"],"texts":[]}\n');
    forgetWorkLeft(folder.path, 8);
    expect(findWorkLeft(folder.path)?.files).toEqual(["a.md"]);
    forgetWorkLeft(folder.path, 7);
    expect(findWorkLeft(folder.path)).toBeUndefined();
  });
});
