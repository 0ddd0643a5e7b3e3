/**
 * Made-up Japanese and English text, the same on every machine and in every run.
 *
 * In goes a seed, out come sentences about running software. They have the words and
 * lengths of documentation, not its sense: good for time and size, not for quality.
 */

export type Language = "japanese" | "english";

/** A sequence of numbers that only depends on its seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    // Mulberry32: small, and good enough to pick words.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** The same items in another order. */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
    }
    return shuffled;
  }
}

/** One sentence with its full stop. */
export function makeSentence(chance: Chance, language: Language): string {
  const { subjects, objects, verbs, conditions, reasons } = WORDS[language];
  const [subject, object, verb] = [chance.pick(subjects), chance.pick(objects), chance.pick(verbs)];
  const [condition, reason] = [chance.pick(conditions), chance.pick(reasons)];
  const number = 2 + chance.below(900);
  if (language === "japanese") {
    return chance.pick([
      `${condition}、${subject}は${object}を${verb}。`,
      `${subject}が${object}を${verb}のは、${reason}ためです。`,
      `${condition}、${subject}は${number}件の${object}を${verb}。これは${reason}からです。`,
    ]);
  }
  return chance.pick([
    `${condition}, the ${subject} ${verb} the ${object}.`,
    `The ${subject} ${verb} the ${object} because ${reason}.`,
    `${condition}, the ${subject} ${verb} up to ${number} entries of the ${object}, since ${reason}.`,
  ]);
}

/** A heading of two or three words. */
export function makeHeading(chance: Chance, language: Language): string {
  const { subjects, objects } = WORDS[language];
  const [subject, object] = [chance.pick(subjects), chance.pick(objects)];
  return language === "japanese" ? `${subject}と${object}` : `The ${subject} and its ${object}`;
}

const WORDS = {
  japanese: {
    subjects: [
      "サーバー",
      "管理者",
      "予約システム",
      "監視プログラム",
      "利用者",
      "夜間の処理",
      "認証の仕組み",
      "検索機能",
    ],
    objects: [
      "設定ファイル",
      "バックアップ",
      "証明書",
      "利用記録",
      "在庫の一覧",
      "通知メール",
      "データベース",
      "画像の縮小版",
    ],
    verbs: [
      "確認します",
      "書き換えます",
      "暗号化します",
      "一時的に保存します",
      "別の場所へ移します",
      "削除します",
      "並べ替えます",
    ],
    conditions: [
      "障害が起きたとき",
      "月末になると",
      "初めて起動した場合",
      "権限がないときは",
      "容量が足りなければ",
      "更新のあとで",
    ],
    reasons: [
      "古い値が残る",
      "二重に登録されるのを防ぐ",
      "復旧に時間がかかる",
      "外部から見えてしまう",
      "負荷が偏る",
    ],
  },
  english: {
    subjects: [
      "scheduler",
      "gateway",
      "billing job",
      "operator",
      "cache layer",
      "mail relay",
      "session store",
      "importer",
    ],
    objects: [
      "configuration file",
      "nightly backup",
      "access log",
      "certificate",
      "price list",
      "thumbnail",
      "job queue",
    ],
    verbs: [
      "verifies",
      "rewrites",
      "encrypts",
      "compresses",
      "moves aside",
      "rotates",
      "merges",
      "publishes",
    ],
    conditions: [
      "After an outage",
      "On the first start",
      "Without permission",
      "When the disk is full",
      "At midnight",
    ],
    reasons: [
      "stale values would remain",
      "two writers could collide",
      "recovery takes long",
      "readers expect a fixed order",
    ],
  },
} as const satisfies Record<Language, Record<string, readonly string[]>>;
