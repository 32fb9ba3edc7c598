/** Replaces the underscores that Markdown puts around words, which would otherwise make a number part of a name. */

const EMPHASIS = /(?<=^|[\s([{"'*~|>:,;])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?=[\s)\]}"'*~|<:,;!?]|\.\s)/g;
/** Whether these end an emphasis depends on what comes next. */
const UNDECIDED = /_{1,3}\.?$/;

/** They become asterisks; those within a name or an address stay. Underscores at the end of the text are dropped. */
export const withoutEmphasis = (text: string): string =>
  text.includes("_") ? text.replace(UNDECIDED, "").replace(EMPHASIS, (run) => "*".repeat(run.length)) : text;
