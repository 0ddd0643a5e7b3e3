import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { acquireWriterLock, findWriter } from "../../src/store/writer-lock.ts";
import { TestFolder } from "../support/test-folder.ts";
import { startProgram } from "./programs/run-program.ts";

describe("acquireWriterLock", () => {
  test("is held until released, and says so", () => {
    using folder = new TestFolder();
    expect(findWriter(folder.path)).toBeUndefined();
    {
      using _lock = acquireWriterLock(folder.path);
      expect(findWriter(folder.path)).toMatchObject({ pid: process.pid, hostname: hostname() });
      expect(() => acquireWriterLock(folder.path)).toThrow(
        expect.objectContaining({ code: "busy", message: expect.stringContaining(`process ${process.pid}`) }),
      );
    }
    expect(findWriter(folder.path)).toBeUndefined();
    const lock = acquireWriterLock(folder.path);
    lock.release();
    lock.release();
  });

  test("is refused while another process has it, naming that process and since when", async () => {
    using folder = new TestFolder();
    const holder = startProgram("lock", folder.path);
    expect(await holder.nextLine()).toBe("locked");
    const { pid, since } = findWriter(folder.path)!;
    expect(pid).toBe(holder.pid);
    expect(Date.now() - Date.parse(since)).toBeLessThan(60_000);
    expect(() => acquireWriterLock(folder.path)).toThrow(`process ${holder.pid} on ${hostname()}`);
    expect(() => acquireWriterLock(folder.path)).toThrow(since);
    await holder.kill();
  }, 20_000);

  test("is free again when its holder was killed", async () => {
    using folder = new TestFolder();
    const holder = startProgram("lock", folder.path);
    expect(await holder.nextLine()).toBe("locked");
    await holder.kill();
    expect(findWriter(folder.path)).toBeUndefined();
    using _lock = acquireWriterLock(folder.path);
    expect(findWriter(folder.path)?.pid).toBe(process.pid);
  }, 20_000);

  test("goes to exactly one of six that try at the same instant, after a killed holder", async () => {
    using folder = new TestFolder();
    const killed = startProgram("lock", folder.path);
    await killed.nextLine();
    await killed.kill();
    const moment = String(Date.now() + 700);
    const programs = Array.from({ length: 6 }, () => startProgram("race", folder.path, moment));
    const answers = await Promise.all(programs.map((program) => program.answer()));
    expect(answers.filter((answer) => answer === "won")).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith("busy: "))).toHaveLength(5);
    const winner = programs[answers.indexOf("won")]!.pid;
    for (const answer of answers.filter((text) => text !== "won"))
      expect(answer).toContain(`process ${winner} `);
  }, 20_000);

  test("does not care who is said to hold it: a process that lives, a time to come", () => {
    using folder = new TestFolder();
    acquireWriterLock(folder.path).release();
    const database = new Database(folder.at("writer.lock"));
    database.run("UPDATE holder SET pid = 1, since = '2999-01-01T00:00:00.000Z'");
    database.close();
    expect(findWriter(folder.path)).toBeUndefined();
    using _lock = acquireWriterLock(folder.path);
    expect(findWriter(folder.path)?.pid).toBe(process.pid);
  });

  test("is lost when its file is removed or replaced, and its holder finds out", () => {
    using folder = new TestFolder();
    for (const loseIt of [
      () => folder.remove("writer.lock"),
      () => folder.rename("writer.lock", "old.lock"),
      () => folder.write("new.lock", "") && folder.rename("new.lock", "writer.lock"),
    ]) {
      using lock = acquireWriterLock(folder.path);
      lock.verify();
      loseIt();
      expect(() => lock.verify()).toThrow(
        expect.objectContaining({
          code: "busy",
          message: expect.stringContaining("writer.lock was removed"),
        }),
      );
      using later = acquireWriterLock(folder.path);
      later.verify();
      expect(() => lock.verify()).toThrow();
    }
  });

  test("does not care about a damaged lock file", () => {
    using folder = new TestFolder();
    writeFileSync(folder.at("writer.lock"), "garbage ".repeat(1000));
    expect(findWriter(folder.path)).toBeUndefined();
    using _lock = acquireWriterLock(folder.path);
    expect(findWriter(folder.path)?.pid).toBe(process.pid);
  });

  test("says that the folder cannot be written", () => {
    using folder = new TestFolder();
    mkdirSync(folder.at("writer.lock"));
    expect(() => acquireWriterLock(folder.path)).toThrow(expect.objectContaining({ code: "io" }));
  });
});
