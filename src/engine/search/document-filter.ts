/**
 * The filter of a request: what passes, what is told of it, and why nothing does.
 *
 * Documents are resolved to ids once a search, so that every leg restricts itself inside SQL
 * before any limit, by the same condition. What the fields mean is defined in
 * `config/filter-request.ts`; texts that are excluded are `exclusion-test.ts`.
 */
import type { FilterRequest } from "../../config/filter-request.ts";
import { didYouMean } from "../../config/nearest.ts";
import type { Config } from "../../config/schema.ts";
import { daysOfBound } from "../../core/calendar-date.ts";
import type { DocumentId } from "../../core/document.ts";
import { compilePathGlobs } from "../../source/path-globs.ts";
import {
  type DescribedBy,
  type DocumentConditions,
  findDayRange,
  hasPassingChunk,
  listNames,
  listPassingDocuments,
  listPassingIds,
} from "../../store/document-filter.ts";
import type { ChunkFilter } from "../../store/filters.ts";
import type { IndexDatabase } from "../../store/open.ts";
import type { SearchAnswer } from "./search-answer.ts";

/** A filter that can be applied to any state of an index. */
export interface DocumentFilter {
  /** What the answer says about it; the excluded texts come after. */
  readonly applied: SearchAnswer["filter_applied"];
  /** What the legs are asked with. */
  resolve(db: IndexDatabase): ChunkFilter;
  /** Which part of the filter leaves nothing of the index; undefined if something passes. */
  explainEmpty(db: IndexDatabase, resolved: ChunkFilter): string | undefined;
}

/** @throws {AppError} `usage` for an unreadable glob. */
export function compileDocumentFilter(
  request: FilterRequest,
  { enabled, threshold }: Config["quality"],
): DocumentFilter {
  const parts = partsOf(request);
  const usual = enabled ? threshold : 0;
  const minQuality = request.include_low_quality ? 0 : (request.min_quality ?? usual);
  const resolve = (db: IndexDatabase) => ({ minQuality, ...shorterSide(db, idsPassing(db, parts)) });
  return {
    applied: {
      ...appliedOf(request),
      ...(minQuality === usual
        ? {}
        : request.include_low_quality
          ? { include_low_quality: true as const }
          : { min_quality: minQuality }),
    },
    resolve,
    explainEmpty(db, resolved) {
      if (resolved.documentIds?.length === 0) return explainNoDocument(db, parts);
      if (minQuality === 0 || hasPassingChunk(db, resolved)) return undefined;
      return `No passage${parts.length === 0 ? "" : " of the documents that pass the filter"} has a quality of ${minQuality} or more (${minQuality === usual ? "include_low_quality takes all in" : "min_quality"}).`;
    },
  };
}

/** One field of the filter, or the two bounds of the dates. */
interface FilterPart {
  readonly field: string;
  readonly conditions: DocumentConditions;
  readonly passesPath?: (path: string) => boolean;
  /** Why this alone leaves nothing. */
  readonly explain: (db: IndexDatabase) => string;
}

function partsOf(request: FilterRequest): FilterPart[] {
  const category = request.category?.normalize("NFC");
  const topic = request.topic?.normalize("NFC");
  const tagsAny = request.tags_any?.map((tag) => tag.normalize("NFC")) ?? [];
  const tagsAll = request.tags_all?.map((tag) => tag.normalize("NFC")) ?? [];
  const globs = request.path_globs ?? [];
  const dayFrom = daysOfBound(request.date_from ?? "")?.first;
  const dayTo = daysOfBound(request.date_to ?? "")?.last;
  const parts: FilterPart[] = [];
  if (category !== undefined)
    parts.push({
      field: "category",
      conditions: { category },
      explain: (db) => unknownName(db, "category", "the category", category),
    });
  if (topic !== undefined)
    parts.push({
      field: "topic",
      conditions: { topic },
      explain: (db) => unknownName(db, "topic", "the topic", topic),
    });
  if (globs.length > 0)
    parts.push({
      field: "path_globs",
      conditions: {},
      passesPath: compilePathGlobs(globs),
      explain: () => `No document's path matches the globs ${listed(globs)}.`,
    });
  if (tagsAny.length > 0)
    parts.push({
      field: "tags_any",
      conditions: { tagsAny },
      explain: (db) =>
        tagsAny.length === 1
          ? unknownName(db, "tag", "the tag", tagsAny[0]!)
          : `No document has any of the tags ${listed(tagsAny)}.${nearestOf(db, tagsAny)}`,
    });
  if (tagsAll.length > 0)
    parts.push({
      field: "tags_all",
      conditions: { tagsAll },
      explain: (db) => {
        const unknown = tagsAll.find((tag) => listPassingIds(db, { tagsAny: [tag] }).length === 0);
        if (unknown !== undefined) return unknownName(db, "tag", "the tag", unknown);
        return `No document has all of the tags ${listed(tagsAll)}, though each is in use.`;
      },
    });
  if (dayFrom !== undefined || dayTo !== undefined)
    parts.push({
      field: [dayFrom && "date_from", dayTo && "date_to"].filter(Boolean).join(" and "),
      conditions: { dayFrom, dayTo },
      explain: (db) => {
        const range = findDayRange(db);
        const dates =
          range === undefined ? "no document has a date" : `dates go from ${range.first} to ${range.last}`;
        return `No document is dated ${[dayFrom && `from ${dayFrom}`, dayTo && `to ${dayTo}`].filter(Boolean).join(" ")}; ${dates}.`;
      },
    });
  return parts;
}

/** Undefined when everything passes. */
function idsPassing(db: IndexDatabase, parts: readonly FilterPart[]): DocumentId[] | undefined {
  if (parts.length === 0) return undefined;
  const conditions: DocumentConditions = Object.assign({}, ...parts.map((part) => part.conditions));
  const passesPath = parts.find((part) => part.passesPath !== undefined)?.passesPath;
  if (passesPath === undefined) return listPassingIds(db, conditions);
  return listPassingDocuments(db, conditions)
    .filter(({ path }) => passesPath(path))
    .map(({ id }) => id);
}

/** Ids that pass, or if most do, those that do not: each statement of each leg reads the list anew. */
function shorterSide(db: IndexDatabase, documentIds: DocumentId[] | undefined): ChunkFilter {
  if (documentIds === undefined || documentIds.length < SHORT_LIST) return { documentIds };
  const all = listPassingIds(db, {});
  if (all.length > 2 * documentIds.length) return { documentIds };
  const passing = new Set(documentIds);
  return { exceptDocumentIds: all.filter((id) => !passing.has(id)) };
}

/** A list so short that nothing is gained by looking for a shorter one. */
const SHORT_LIST = 1000;

function explainNoDocument(db: IndexDatabase, parts: readonly FilterPart[]): string {
  const [only] = parts;
  const alone = parts.length === 1 ? only : parts.find((part) => idsPassing(db, [part])!.length === 0);
  if (alone !== undefined) return alone.explain(db);
  return `No document passes ${parts.map(({ field }) => field).join(" and ")} together, though each leaves some.`;
}

/** Lists that are empty have no effect and are not echoed. */
function appliedOf(request: FilterRequest): SearchAnswer["filter_applied"] {
  const { category, topic, path_globs = [], tags_any = [], tags_all = [], date_from, date_to } = request;
  return {
    ...(category === undefined ? {} : { category }),
    ...(topic === undefined ? {} : { topic }),
    ...(path_globs.length === 0 ? {} : { path_globs }),
    ...(tags_any.length === 0 ? {} : { tags_any }),
    ...(tags_all.length === 0 ? {} : { tags_all }),
    ...(date_from === undefined ? {} : { date_from: daysOfBound(date_from)!.first }),
    ...(date_to === undefined ? {} : { date_to: daysOfBound(date_to)!.last }),
  };
}

function unknownName(db: IndexDatabase, kind: DescribedBy, what: string, name: string): string {
  return `No document has ${what} ${JSON.stringify(name)}.${nearestOf(db, [name], kind)}`;
}

function nearestOf(db: IndexDatabase, names: readonly string[], kind: DescribedBy = "tag"): string {
  const known = listNames(db, kind);
  return names.map((name) => didYouMean(name, known)).find((text) => text !== "") ?? "";
}

function listed(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}
