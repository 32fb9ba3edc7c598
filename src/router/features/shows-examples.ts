/** Recognises a prompt made of examples: things given with their answers, and at the end one that waits for its answer. */

/** Two examples must stand in so many characters at the end. Of longer ones no more is read as the request than of other pasted text. */
const REACH = 300;
const FEWEST_EXAMPLES = 2;
/** What asks for an answer: a label with a colon («Sentiment:»), an arrow, an equals sign, a tag. */
const CUE = /^(?:[\p{L}\p{N}_*#"]{0,30}\s?[:：]|[-=]>|→|=|<[\p{L}_]{1,30}>)$/u;
const LETTER = /[\p{L}\p{N}]/u;

/** Whether the last word is a cue that stands at least twice before, each time with an answer behind or below it. */
export function showsExamples(text: string): boolean {
  const end = text.slice(-REACH).trimEnd();
  const cue = lastWordOf(end);
  if (!CUE.test(cue)) return false;
  const before = end.slice(0, -cue.length);
  let answered = 0;
  for (let at = before.indexOf(cue); at >= 0; at = before.indexOf(cue, at + cue.length)) {
    if (isAnswered(before, at, cue) && ++answered === FEWEST_EXAMPLES) return true;
  }
  return false;
}

/** A colon that stands alone, as in French, belongs to the word before it. */
const lastWordOf = (text: string): string => {
  const last = /\s[:：]$/.test(text.slice(-2)) ? text.length - 3 : text.length;
  return text.slice(Math.max(text.lastIndexOf(" ", last), text.lastIndexOf("\n", last)) + 1);
};

/** «Data:» does not hold the cue «A:», and «http://» not the cue «http:». */
function isAnswered(text: string, at: number, cue: string): boolean {
  const next = text.charAt(at + cue.length);
  const isWhole = at === 0 || !LETTER.test(cue.charAt(0)) || !LETTER.test(text.charAt(at - 1));
  return isWhole && next !== "" && (next.trim() === "" || !cue.endsWith(":"));
}
