/**
 * Placeholders: texts that only say that a text is to come.
 *
 * How much weight that has is decided in `quality.ts`.
 */

/** UTF-16 units. */
const LONGEST_PLACEHOLDER = 400;

/** Whether there is nothing but placeholders, list marks and punctuation. A blank text is none. */
export function isPlaceholder(text: string): boolean {
  if (text.length > LONGEST_PLACEHOLDER) return false;
  const lines = text
    .split("\n")
    .map(bareLine)
    .filter((line) => line !== "");
  return lines.length > 0 && lines.every((line) => isPlaceholderLine(line));
}

/** The text without the lines that are placeholders; a text so long that they make no difference, as it is. */
export function withoutPlaceholders(text: string): string {
  if (text.length > LONGEST_PLACEHOLDER) return text;
  return text
    .split("\n")
    .filter((line) => !isPlaceholderLine(bareLine(line)))
    .join("\n");
}

const LONGEST_LINE = 80;

// Whole lines only: "TODO: rotate the keys" says something, "TODO: write this section" does not.
const MARK =
  "(?:to ?do|tbd|tba|tbc|wip|fixme|未定|未着手|未記入|未作成|準備中|工事中|執筆中|作成中|作成予定|編集中|追記予定|記載予定|後述|後日追記|近日公開|近日追加)";
const PROMISE = [
  "n/?a",
  "(?:more )?(?:details? )?(?:coming|available) soon",
  "(?:this (?:page|section|document|article) is )?(?:under construction|(?:still )?(?:a )?work in progress|to be (?:written|done|added|completed|defined|determined|announced|continued)|not (?:yet )?written(?: yet)?|coming soon)",
  "(?:please )?(?:write|add|insert|fill in|describe|put) (?:this|the|a|your|some)?\\s?(?:section|page|text|content|description|documentation|details|docs|something|more)?\\s?(?:here|later|soon)?",
  "(?:your )?(?:text|content|description) (?:goes )?here",
  "placeholder(?: text)?",
  "lorem ipsum.*",
  "詳細は(?:後述|後日|追って|別途)(?:する|します|記載|追記|連絡)?",
  "(?:ここに|後で|あとで|後から|後日)(?:内容を|説明を|本文を|詳細を|文章を)?(?:書く|書きます|記入|記載|追記|追加|入れる|書いてください|記入してください|記載する|追記する|追記します)",
  "(?:この(?:ページ|節|章|項|セクション|文書|記事)は)?(?:現在)?(?:準備中|工事中|執筆中|作成中|編集中|未完成|書きかけ)(?:です|である)?",
  "乞うご期待",
  "(?:敬请期待|待补充|待完善|待续|建设中|即将推出|준비 ?중(?:입니다)?|작성 ?중(?:입니다)?)",
].join("|");
const PLACEHOLDER = new RegExp(`^(?:${MARK}(?:です|である)?\\s?[:：-]?\\s?(?:${PROMISE})?|${PROMISE})$`, "u");

function isPlaceholderLine(line: string): boolean {
  return line !== "" && line.length <= LONGEST_LINE && PLACEHOLDER.test(line);
}

/** Without the marks of lists, quotes, emphasis and comments, and without punctuation around it. */
function bareLine(line: string): string {
  if (line.length > 4 * LONGEST_LINE) return line;
  return line
    .normalize("NFKC")
    .toLowerCase()
    .replace(/<!--|-->/g, "")
    .replace(/^[\s>*+-]*\[[ x]\]/, "")
    .replace(/^[\s>*_~#+\-|([{「『【"'`.※◆●■・]+|[\s*_~)\]}」』】"'`.。、,，…!！|・-]+$/gu, "");
}
