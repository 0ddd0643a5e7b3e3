/**
 * Generated documents, for tests that need many, long, or many different ones.
 *
 * Every text differs, so that nothing can be answered from a cache of equal texts.
 */

const SUBJECTS = ["pump", "valve", "filter", "sensor", "boiler", "cable", "router", "fan", "hatch", "meter"];
const VERBS = [
  "replace",
  "inspect",
  "clean",
  "label",
  "order",
  "calibrate",
  "insulate",
  "tighten",
  "drain",
  "record",
];
const TIMES = [
  "in spring",
  "before frost",
  "after rain",
  "every month",
  "at night",
  "on request",
  "when idle",
];

/** A Markdown document of `sections` sections, about 200 words each, named by `number`. */
export function generateDocument(number: number, sections: number): string {
  const parts = Array.from({ length: sections }, (_, section) => {
    const sentences = Array.from({ length: 22 }, (_, sentence) => {
      const seed = number * 7919 + section * 104_729 + sentence * 31;
      const pick = (words: readonly string[], step: number) => words[Math.floor(seed / step) % words.length]!;
      return `${pick(VERBS, 1)} the ${pick(SUBJECTS, 3)} number ${seed % 100_003} ${pick(TIMES, 7)}.`;
    });
    return `## Part ${number}.${section}\n\n${sentences.join(" ")}\n`;
  });
  return `# Maintenance log ${number}\n\n${parts.join("\n")}`;
}

/** The same Japanese text in encodings that a decoder must recognise by itself. */
export const JAPANESE_TEXT =
  "# 見積書の書き方\n\n消費税は合計金額に対して一度だけ計算します。端数は切り捨てです。\n納期は発注書を受け取った日から数えます。";

/** `JAPANESE_TEXT` as bytes, by the name of its encoding. */
export const JAPANESE_BYTES: Readonly<
  Record<"shift_jis" | "euc-jp" | "iso-2022-jp" | "utf-16le" | "utf-16be", Uint8Array>
> = {
  shift_jis: Buffer.from(
    "IyCMqZDPj5GCzI+RgquV+woKj8GU75DFgs2Nh4x2i+CKeoLJkc6CtYLEiOqTeIK+gq+Mdo5agrWC3IK3gUKSW5CUgs2Q2ILojsyCxILFgreBQgqUW4r6gs2UrZKNj5GC8I7zgq+O5oLBgr2T+oKpgueQlIKmgtyCt4FC",
    "base64",
  ),
  "euc-jp": Buffer.from(
    "IyC4q8DRvfGkzr3xpK3K/QoKvsPI8cDHpM+557fXtuKz26TLwtCkt6TGsOzF2aTApLG317u7pLek3qS5oaPDvL/0pM/A2qTqvM6kxqTHpLmhowrHvLT8pM/Ir8PtvfGk8rz1pLG86KTDpL/G/KSrpOm/9KSopN6kuaGj",
    "base64",
  ),
  "iso-2022-jp": Buffer.from(
    "IyAbJEI4K0BRPXEkTj1xJC1KfRsoQgoKGyRCPkNIcUBHJE85ZzdXNmIzWyRLQlAkNyRGMGxFWSRAJDE3Vzs7JDckXiQ5ISNDPD90JE9AWiRqPE4kRiRHJDkhIxsoQgobJEJHPDR8JE9IL0NtPXEkcjx1JDE8aCRDJD9GfCQrJGk/dCQoJF4kOSEjGyhC",
    "base64",
  ),
  "utf-16le": Buffer.from(`\uFEFF${JAPANESE_TEXT}`, "utf16le"),
  "utf-16be": Buffer.from(`\uFEFF${JAPANESE_TEXT}`, "utf16le").swap16(),
};
