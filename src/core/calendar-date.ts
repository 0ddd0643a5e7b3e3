/**
 * Dates as people write them in, days of the calendar as `YYYY-MM-DD` out.
 *
 * For the date of a document and for the bounds of a filter, so that both are compared as
 * days. The date that is shown stays as written; comparing is done in SQL, by `store/`.
 */

/**
 * The day a document's date stands for; a time and a zone after it do not move it, and a date without
 * a day (or month) stands for its first day.
 *
 * Reads `2026-1-5`, `2026/01/05`, `2026.1.5`, `20260105`, `2026年1月5日` and their beginnings `2026-01`,
 * `2026`; full-width digits too.
 *
 * @returns Null if it is none of these, or a day that no calendar has.
 */
export function dayOfDate(written: string): string | null {
  return readDate(written, TIME)?.first ?? null;
}

/** The days a bound without a time stands for, both included: `2026-02` is the 1st to the 28th. Null as for `dayOfDate`. */
export function daysOfBound(written: string): { readonly first: string; readonly last: string } | null {
  return readDate(written, NOTHING);
}

const NUMBERS = /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2}))?)?/;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?!\d)/;
const JAPANESE = /^(\d{4})\s?年(?:\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?日)?)?/;

const NOTHING = /^$/;
/** What may follow a whole date: a weekday in brackets, a time, a zone. */
const TIME =
  /^(?:\s?\([^()]{1,9}\))?(?:[Tt\s]\s?\d{1,2}(?::\d{1,2}){1,2}(?:[.,]\d+)?\s?(?:[Zz]|UTC|GMT|JST|[+-]\d{1,2}(?::?\d{2})?)?)?$/;

function readDate(written: string, rest: RegExp): { first: string; last: string } | null {
  const text = written.normalize("NFKC").trim();
  const parts = partsOf(text);
  if (parts === null) return null;
  const { year, month, day, length } = parts;
  if (!(day === undefined ? NOTHING : rest).test(text.slice(length))) return null;
  const lastMonth = Number(month ?? 12);
  if (Number(year) === 0 || lastMonth < 1 || lastMonth > 12) return null;
  const lastDay = Number(day ?? daysInMonth(Number(year), lastMonth));
  if (lastDay < 1 || lastDay > daysInMonth(Number(year), lastMonth)) return null;
  const format = (inMonth: number, onDay: number) =>
    `${year}-${String(inMonth).padStart(2, "0")}-${String(onDay).padStart(2, "0")}`;
  return { first: format(Number(month ?? 1), Number(day ?? 1)), last: format(lastMonth, lastDay) };
}

interface DateParts {
  readonly year: string;
  readonly month: string | undefined;
  readonly day: string | undefined;
  /** UTF-16 units that were read. */
  readonly length: number;
}

function partsOf(text: string): DateParts | null {
  const named = JAPANESE.exec(text) ?? COMPACT.exec(text);
  if (named !== null) return { year: named[1]!, month: named[2], day: named[3], length: named[0].length };
  const numbers = NUMBERS.exec(text);
  if (numbers === null) return null;
  return { year: numbers[1]!, month: numbers[3], day: numbers[4], length: numbers[0].length };
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
