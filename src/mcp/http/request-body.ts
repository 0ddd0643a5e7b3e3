/**
 * The JSON body of a request, if it is small enough and comes soon enough.
 */

export type Body =
  | { readonly kind: "json"; readonly value: unknown }
  /** To be answered as it is. */
  | { readonly kind: "refused"; readonly status: 400 | 408 | 413; readonly reason: string };

/** Largest body of any request, in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;

/** @param waitMs How long the whole body may take, however it drips. */
export async function readBody(request: Request, waitMs: number): Promise<Body> {
  const tooLarge: Body = {
    kind: "refused",
    status: 413,
    reason: `the body has more than ${MAX_BODY_BYTES} bytes`,
  };
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) return tooLarge;
  const reader = request.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), waitMs);
  try {
    while (reader !== undefined) {
      const part = await Promise.race([reader.read(), late.promise]);
      if (part === "late") return { kind: "refused", status: 408, reason: "the body took too long" };
      if (part.done) break;
      length += part.value.length;
      if (length > MAX_BODY_BYTES) return tooLarge;
      parts.push(part.value);
    }
  } finally {
    clearTimeout(timer);
    // Of one that is not read to its end nothing more is wanted.
    reader?.cancel().catch(() => undefined);
  }
  try {
    return {
      kind: "json",
      value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts))),
    };
  } catch {
    return { kind: "refused", status: 400, reason: "the body is no JSON" };
  }
}
