/** Whether the last lines of an answer show that it broke off. Answers that merely end without a full stop do not. */

import { endsInOpenMark } from "./open-marks.ts";
import { endsInUnfinishedWord } from "./unfinished-words.ts";

/** Endings that no finished answer has: an empty list item, a broken table row, a conjunction, a colon after an announcement. */
export const stopsMidSentence = (text: string): boolean => {
  const tail = text.slice(-400);
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  if (endsInEmptyItem(text, lastLine) || endsInTornRow(text, lastLine) || endsInHeading(text, lastLine)) return true;
  if (/\s\*\*$/.test(tail.slice(-3))) return true;
  if (lastLine.length < 100 && SAYS_MORE_COMES.test(lastLine)) return true;
  // Most answers end like this; none of the checks below applies to them.
  if (".!?。！？".includes(tail.at(-1)!) || ENDS_IN_RULE.test(tail)) return false;
  return endsInAnnouncement(tail, lastLine) || endsInUnfinishedWord(text, tail, lastLine) || endsInOpenMark(text, lastLine);
};
/** A line across the page; directly below text it would make that text a heading. */
const ENDS_IN_RULE = /\n[ \t]*\n[ \t]*(?:-{3,}|\*{3,}|_{3,})$/;

/** A label or a line of verse may end with a colon too, so only words that announce something tell. */
const endsInAnnouncement = (tail: string, lastLine: string): boolean => {
  if (!":：".includes(tail.at(-1)!)) return false;
  if (tail.trim().split(/\s+/, LEAST_WORDS).length === LEAST_WORDS && ANNOUNCES.test(tail.slice(-120))) return true;
  const sentence = lastLine
    .slice(-160)
    .split(/[.!?。！？]\s*/)
    .at(-1)!;
  return OPENS_ANNOUNCEMENT.test(sentence);
};
const LEAST_WORDS = 5;
const ANNOUNCES =
  /\b(?:follow(?:ing|s)|these|steps|list|example|below|here (?:is|are))\b[^.\n]{0,60}:$|(?:siguientes?|folgende[nrs]?|suivante?s?|seguenti|seguintes?|volgende|następujące|следующие|التالية)\s?:$/i;
const OPENS_ANNOUNCEMENT =
  /^\W{0,4}(?:here(?:'|’)?s |here (?:is|are) |below |let me |let(?:'|’)s |i(?:(?:'|’)d| would)? (?:recommend|suggest) |hier (?:sind|ist|zijn|is|een) |im folgenden |voici |voilà |aquí |est[oa]s son |ecco |di seguito |aqui |вот |ниже |oto |poniżej |tady |zde |her er |här är |her følger |tässä |işte |aşağıda |iată |íme |berikut |dưới đây |sau đây |以下|下面|次の|下記|다음|아래|فيما يلي |إليك |להלן |הנה |यहाँ |यहां |ακολουθ)/iu;

/** Such as `[continued in next message]` or `I'll continue in the next part.`, but not a story's "to be continued". */
const SAYS_MORE_COMES =
  /^\W{0,6}(?:continue[sd] (?:in|on) |continued\W{0,4}$|i(?:'|’)ll continue (?:in|with) (?:the|my) next |(?:response|answer|output|text) (?:truncated|continues)\b)/i;

/** A heading such as `## Risks` without text below. An outline consists of headings only, and a single `#` may begin a comment in code. */
const endsInHeading = (text: string, lastLine: string): boolean => {
  if (!/^#{2,6}(?: \S|$)/.test(lastLine)) return false;
  const before = text.slice(0, text.length - lastLine.length).trimEnd();
  return before !== "" && !/^#{1,6} \S/.test(before.slice(before.lastIndexOf("\n") + 1));
};

/** `1. Free\n2. Starter\n3.` */
const endsInEmptyItem = (text: string, lastLine: string): boolean =>
  /^[ \t]*(?:\d{1,3}[.)]|[-*•])$/.test(lastLine) &&
  /(?:^|\n)[ \t]*(?:\d{1,3}[.)]|[-*•])[^\n]+\n[ \t]*(?:\d{1,3}[.)]|[-*•])$/.test(text.slice(-2_000));

/** A table whose last row has no closing bar, although the row before it has one. */
const endsInTornRow = (text: string, lastLine: string): boolean =>
  lastLine.includes("|") && /\|[ \t]*\n[ \t]*\|[^\n]*[^|\s][ \t]*$/.test(text.slice(-2_000));
