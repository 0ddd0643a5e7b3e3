/** A real child process, and one that is made to die; both ends of the protocol. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { answerQuestions } from "../../../src/engine/questions/question-answers.ts";
import { openQuestionProcess } from "../../../src/engine/questions/question-process.ts";
import { AppError } from "../../../src/errors.ts";
import { HashEmbedder } from "../../support/hash-embedder.ts";
import { TestFolder } from "../../support/test-folder.ts";

setDefaultTimeout(60_000);

const CHILD = join(import.meta.dir, "..", "..", "support", "question-child.ts");

/** A child that dies of every question that says so. */
function open(...args: string[]) {
  return openQuestionProcess([process.execPath, CHILD, ...args]);
}

describe("openQuestionProcess", () => {
  test("gives the vectors that the embedder gives, many questions at once", async () => {
    const questions = open();
    const texts = ["one", "二", 'a "quoted"\nline', "", "x".repeat(100_000)];
    const vectors = await Promise.all(texts.map((text) => questions.embed(text)));
    expect(vectors).toEqual(await Promise.all(texts.map((text) => new HashEmbedder().embedQuery(text))));
    expect(questions.runtime).toEqual({ name: "none" });
    await questions.close();
  });

  test("starts a new child for the question during which the last one died", async () => {
    using folder = new TestFolder();
    const questions = open(folder.at("died"));
    expect(await questions.embed("question")).toHaveLength(64);
    expect(folder.has("died")).toBe(true);
    expect(await questions.embed("another")).toHaveLength(64);
    await questions.close();
  });

  test("starts a new child where the last one died and nobody has noticed yet", async () => {
    const questions = open();
    for (let round = 0; round < 5; round++) {
      const pid = await questions.embed("pid").then(
        () => Number.NaN,
        ({ message }) => Number(message),
      );
      process.kill(pid, "SIGKILL");
      Bun.sleepSync(50);
      expect(await questions.embed(`question ${round}`)).toHaveLength(64);
    }
    await questions.close();
  });

  test("gives up a question that two children died of, remembers it, and answers the others", async () => {
    const questions = open();
    const outcomes = await Promise.allSettled(["die", "one", "two"].map((text) => questions.embed(text)));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    await expect(questions.embed("die")).rejects.toMatchObject({ name: "AppError", code: "model" });
    expect(await questions.embed("three")).toHaveLength(64);
    await questions.close();
  });

  test("kills a child that does not answer in time", async () => {
    const questions = openQuestionProcess([process.execPath, CHILD], 1500);
    await expect(questions.embed("hang")).rejects.toMatchObject({ code: "model" });
    await questions.close();
  });

  test("passes on why a question could not be embedded", async () => {
    const questions = open();
    await expect(questions.embed("refuse")).rejects.toMatchObject({ code: "model", hint: "Try again." });
    await questions.close();
  });

  test("can be closed without a question, and twice", async () => {
    const questions = open();
    await questions.close();
    await questions.close();
  });
});

describe("answerQuestions", () => {
  test("answers a line that is no question with the reason, and goes on", async () => {
    const lines: string[] = [];
    async function* parts() {
      yield Buffer.from('{"text":"a"}\nnot JSON\n{"te');
      yield Buffer.from('xt":"b"}\n');
    }
    await answerQuestions(new HashEmbedder(), parts(), (line) => lines.push(line));
    expect(lines.map((line) => Object.keys(JSON.parse(line))[0])).toEqual(["vector", "failure", "vector"]);
  });

  test("keeps the code of a failure", async () => {
    const failing = Object.assign(new HashEmbedder(), {
      embedQuery: () => Promise.reject(new AppError("config", "no such runtime")),
    });
    const lines: string[] = [];
    await answerQuestions(failing, [Buffer.from('{"text":"a"}\n')] as never, (line) => lines.push(line));
    expect(JSON.parse(lines[0]!).failure).toMatchObject({ code: "config", message: "no such runtime" });
  });
});
