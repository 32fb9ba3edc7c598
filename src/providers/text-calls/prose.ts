/** Keeps in mind where in its prose an answer is: at its beginning, at that of a line, in a code fence. */

export type Prose = {
  add(text: string): void;
  /** Nothing but blanks so far. */
  isBlank(): boolean;
  isAtLineStart(): boolean;
  isInFence(): boolean;
};

/** What tells whether a line begins or ends a fence stands in its first characters. */
const HEAD_CHARACTERS = 32;
const FENCE = /^(?:>|[-*+]\s|\d{1,9}[.)]|\s)*(`{3,}(?!.*`)|~{3,})(.*)$/s;

export const createProse = (): Prose => {
  /** How the current line begins, without leading blanks. */
  let head = "";
  let isBlank = true;
  let fence = "";
  const extend = (text: string): void => {
    if (head.length >= HEAD_CHARACTERS) return;
    const blanks = text.length - text.trimStart().length;
    head = (head + text.slice(0, blanks + HEAD_CHARACTERS)).trimStart().slice(0, HEAD_CHARACTERS);
    isBlank &&= head === "";
  };
  const endLine = (): void => {
    const [, marks = "", after = ""] = FENCE.exec(head) ?? [];
    if (fence === "") fence = marks;
    else if (marks.startsWith(fence) && after.trim() === "") fence = "";
    head = "";
  };
  return {
    add(text) {
      let at = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", at)) {
        extend(text.slice(at, end));
        endLine();
        at = end + 1;
      }
      extend(text.slice(at));
    },
    isBlank: () => isBlank,
    isAtLineStart: () => head === "",
    isInFence: () => fence !== "",
  };
};
