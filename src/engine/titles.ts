/**
 * Path and title of every document, for lists that a client shows and completes.
 *
 * Topics are listed in `topics.ts`.
 */
import type { IndexDatabase } from "../store/open.ts";
import { listTitles as listStoredTitles } from "../store/topics.ts";

export interface DocumentTitle {
  readonly path: string;
  readonly title: string;
}

/** In path order (code points). */
export function listTitles(db: IndexDatabase): readonly DocumentTitle[] {
  return listStoredTitles(db);
}
