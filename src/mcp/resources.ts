/**
 * Resources: groups of documents to look through, and every document under its URI.
 *
 * A document is read by the same function as `get_document`, so that nothing can be read here that
 * cannot be read there. URIs are made and taken apart in `resource-uri.ts`.
 */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Engine } from "../engine/engine.ts";
import { listTitles } from "../engine/titles.ts";
import { AppError } from "../errors.ts";
import { inline, sizeInAnswer } from "./quoted-text.ts";
import { DOCUMENT_TEMPLATE, documentUri, groupKeyOf, groupUri, parseResourceUri } from "./resource-uri.ts";

/**
 * Answers what is asked of resources, and tells a client that has listed them when the list is another.
 *
 * @param answerSafely Turns what an answer throws into an error for the client.
 */
export function addResources(
  server: Server,
  engine: Engine,
  answerSafely: <Answer>(answer: () => Answer) => Answer,
): void {
  let listed: string | undefined;
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    answerSafely(() => {
      const groups = listGroups(engine);
      listed = JSON.stringify(groups);
      const start = parseCursor(params?.cursor, groups.length);
      const page = groups.slice(start, start + PAGE_GROUPS);
      return {
        resources: page.map(({ key, count }) => ({
          uri: groupUri(key),
          name: nameOf(key),
          description: descriptionOf(key, count),
          mimeType: MARKDOWN,
        })),
        ...(start + PAGE_GROUPS < groups.length ? { nextCursor: String(start + PAGE_GROUPS) } : {}),
      };
    }),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: DOCUMENT_TEMPLATE,
        name: "document",
        title: "A document",
        description: "An indexed document by its path, as search results name it",
      },
    ],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    answerSafely(() => ({ contents: [contentOf(engine, params.uri)] })),
  );
  const forget = engine.rebuilds.onRunEnded(() => {
    if (server.transport === undefined) forget();
    else if (listed !== undefined && hasChanged(engine, listed)) {
      listed = undefined;
      server.sendResourceListChanged().catch(() => forget()); // the client is gone
    }
  });
}

const PAGE_GROUPS = 100;
const MARKDOWN = "text/markdown";

/** As the protocol numbers it. */
const RESOURCE_NOT_FOUND = -32002;

interface Group {
  readonly key: string;
  readonly count: number;
}

/** Sorted by key; an index that is not there has none. */
function listGroups(engine: Engine): Group[] {
  const counts = new Map<string, number>();
  for (const { path } of titlesOf(engine)) {
    const key = groupKeyOf(path);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => ({ key, count })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

function titlesOf(engine: Engine) {
  try {
    return engine.ask(listTitles);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "missing") return [];
    throw thrown;
  }
}

/** An index that cannot be read now says so when it is asked. */
function hasChanged(engine: Engine, listed: string): boolean {
  try {
    return JSON.stringify(listGroups(engine)) !== listed;
  } catch {
    return false;
  }
}

function parseCursor(cursor: string | undefined, count: number): number {
  if (cursor === undefined) return 0;
  const start = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (start < count) return start;
  throw new McpError(
    ErrorCode.InvalidParams,
    `cursor is ${JSON.stringify(cursor.slice(0, 80))}, which no answer has given`,
  );
}

function contentOf(engine: Engine, uri: string) {
  const name = parseResourceUri(uri);
  if (name === undefined) throw notFound(uri);
  if (name.kind === "group") return { uri, mimeType: MARKDOWN, text: groupText(engine, name.key, uri) };
  try {
    const maxBytes = engine.config.server.max_answer_bytes;
    const { path, content, next } = engine.readDocument(
      { path: name.path },
      { maxBytes, sizeOf: sizeInAnswer },
    );
    const mimeType = /\.(?:md|markdown|mdx)$/i.test(path) ? MARKDOWN : "text/plain";
    return {
      uri,
      mimeType,
      text: next === undefined ? content : `${content}\n\n${continuesNotice(path, next)}`,
    };
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "missing") throw notFound(uri);
    throw thrown;
  }
}

function continuesNotice(path: string, next: string): string {
  return `[kb: the document goes on. The tool get_document has the rest: path ${JSON.stringify(path)}, next ${JSON.stringify(next)}.]`;
}

function groupText(engine: Engine, key: string, uri: string): string {
  const documents = titlesOf(engine).filter(({ path }) => groupKeyOf(path) === key);
  if (documents.length === 0) throw notFound(uri);
  let left = engine.config.server.max_answer_bytes - FRAME_BYTES;
  const lines: string[] = [];
  for (const { path, title } of documents) {
    const line = `- ${inline(title)}: ${inline(path)} <${documentUri(path)}>`;
    left -= sizeInAnswer(line) + 2;
    if (left < 0) break;
    lines.push(line);
  }
  const more = documents.length - lines.length;
  const notice = more > 0 ? ["", `[kb: ${more} more documents are left out; search finds them.]`] : [];
  return [`# ${inline(nameOf(key))}`, "", descriptionOf(key, documents.length), "", ...lines, ...notice].join(
    "\n",
  );
}

/** What stands around the list of documents. */
const FRAME_BYTES = 2048;

function nameOf(key: string): string {
  return key === "" ? "(root)" : key;
}

function descriptionOf(key: string, count: number): string {
  return `${count} indexed document${count === 1 ? "" : "s"} under ${inline(nameOf(key))}`;
}

function notFound(uri: string): McpError {
  return new McpError(RESOURCE_NOT_FOUND, "no such resource", { uri });
}
