import { describe, expect, test } from "bun:test";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { createEventStore } from "../../../src/mcp/http/event-store.ts";

const message = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: {} });

async function replayed(store: ReturnType<typeof createEventStore>, lastId: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await store.replayEventsAfter(lastId, {
    send: async (_id, event) => {
      sent.push("id" in event ? event.id : event);
    },
  });
  return sent;
}

describe("createEventStore", () => {
  test("gives what came after an event on its own stream, and no other", async () => {
    const store = createEventStore();
    const first = await store.storeEvent("a", message(1));
    await store.storeEvent("b", message(2));
    await store.storeEvent("a", message(3));
    expect(await store.getStreamIdForEventId?.(first)).toBe("a");
    expect(await replayed(store, first)).toEqual([3]);
  });

  test("forgets the oldest first, by number and by size", async () => {
    for (const store of [createEventStore(1_000_000, 2), createEventStore(90, 100)]) {
      const ids: string[] = [];
      for (let id = 1; id <= 3; id++) ids.push(await store.storeEvent("a", message(id)));
      expect(await store.getStreamIdForEventId?.(ids[0]!)).toBeUndefined();
      expect(await replayed(store, ids[1]!)).toEqual([3]);
      expect(replayed(store, ids[0]!)).rejects.toThrow("no longer kept");
    }
  });
});
