/**
 * The last events of one session's streams, so that a client that lost its connection can go on.
 *
 * Lives in memory and is bounded: the oldest events go first, and a client that asks for one of
 * those is told so by the SDK's transport (400).
 */
import type { EventStore } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** @param maxBytes Of all kept events together, as JSON. @param maxEvents How many are kept. */
export function createEventStore(maxBytes = MAX_BYTES, maxEvents = MAX_EVENTS): EventStore {
  const events = new Map<string, StoredEvent>();
  let bytes = 0;
  let count = 0;
  return {
    async storeEvent(streamId, message) {
      const id = `${streamId}.${++count}`;
      const size = JSON.stringify(message).length;
      events.set(id, { streamId, message, size });
      bytes += size;
      for (const [oldest, event] of events) {
        if (bytes <= maxBytes && events.size <= maxEvents) break;
        events.delete(oldest);
        bytes -= event.size;
      }
      return id;
    },
    async getStreamIdForEventId(id) {
      return events.get(id)?.streamId;
    },
    async replayEventsAfter(lastId, { send }) {
      const last = events.get(lastId);
      if (last === undefined) throw new Error("the event is no longer kept");
      let isAfter = false;
      for (const [id, { streamId, message }] of [...events]) {
        // An empty message only carries the id that a client may come back with.
        if (isAfter && streamId === last.streamId && "jsonrpc" in message) await send(id, message);
        if (id === lastId) isAfter = true;
      }
      return last.streamId;
    },
  };
}

interface StoredEvent {
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

const MAX_BYTES = 1024 * 1024;
const MAX_EVENTS = 256;
