/** The hash embedder keeps the embedder contract, and puts similar texts near each other. */
import { describe, expect, test } from "bun:test";
import { describeEmbedderContract } from "../contract/embedder-contract.ts";
import { HashEmbedder } from "./hash-embedder.ts";

describeEmbedderContract("HashEmbedder", () => new HashEmbedder());

describe("HashEmbedder", () => {
  test.each([
    ["backup schedule", "the schedule of every backup", "cats and dogs"],
    ["バックアップの予定", "毎日のバックアップ予定表", "猫と犬"],
  ])("puts %p nearer to a text that shares its letters", async (query, near, far) => {
    const embedder = new HashEmbedder();
    const vector = await embedder.embedQuery(query);
    const [nearVector, farVector] = await embedder.embedPassages([near, far]);
    const dot = (other: Float32Array) => other.reduce((sum, value, at) => sum + value * vector[at]!, 0);
    expect(dot(nearVector!)).toBeGreaterThan(dot(farVector!));
  });

  test("remembers what it embedded", async () => {
    const embedder = new HashEmbedder();
    await embedder.embedPassages(["a", "b"]);
    expect(embedder.embeddedPassages).toEqual(["a", "b"]);
  });
});
