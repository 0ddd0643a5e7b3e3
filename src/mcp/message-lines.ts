/**
 * The client's messages, one a line, without those that are too long.
 *
 * In go bytes as they come, out come whole lines. A line beyond the limit is dropped as it
 * comes in, so that it neither fills the memory nor ends the session. What a line means is
 * left to the SDK's transport.
 */
import { Transform } from "node:stream";

/**
 * @param maxBytes Longest line that is passed on, in bytes, without its line feed.
 * @param onDropped Called once for each line that is dropped, as soon as it is too long.
 */
export function limitLines(maxBytes: number, onDropped: () => void): Transform {
  let parts: Buffer[] = [];
  let length = 0;
  const isTooLong = () => length > maxBytes;
  const take = (part: Buffer) => {
    const wasTooLong = isTooLong();
    length += part.length;
    if (!isTooLong()) parts.push(part);
    else if (!wasTooLong) {
      parts = [];
      onDropped();
    }
  };
  const endLine = (stream: Transform, end: Buffer) => {
    if (!isTooLong()) stream.push(Buffer.concat([...parts, end]));
    parts = [];
    length = 0;
  };
  return new Transform({
    readableObjectMode: true, // a line is never joined with the next
    transform(chunk: Buffer, _encoding, done) {
      let start = 0;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
        take(chunk.subarray(start, at));
        endLine(this, LINE_END);
        start = at + 1;
      }
      take(chunk.subarray(start));
      done();
    },
    flush(done) {
      if (length > 0) endLine(this, Buffer.alloc(0));
      done();
    },
  });
}

const LINE_FEED = 0x0a;
const LINE_END = Buffer.from("\n");
