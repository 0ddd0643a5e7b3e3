/**
 * A response as it is, and word of when it is over: sent to its end, broken off, or left by the client.
 */

/** @param onEnd Called once; at once for a response without a body. */
export function observeEnd(response: Response, onEnd: () => void): Response {
  const { body } = response;
  if (body === null) {
    onEnd();
    return response;
  }
  const reader = body.getReader();
  const isEventStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const observed = new ReadableStream<Uint8Array>({
    start(controller) {
      // Bun sends no headers before the first byte, and a stream may have nothing to say for long.
      if (isEventStream) controller.enqueue(new TextEncoder().encode(": open\n\n"));
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        onEnd();
        controller.close();
      } catch (thrown) {
        onEnd();
        throw thrown;
      }
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
  return new Response(observed, { status: response.status, headers: response.headers });
}
