/** A text without the underscores that Markdown sets around words: they would make a number part of a name. */

const EMPHASIS = /(?<=^|[\s([{"'*~|>:,;])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?=[\s)\]}"'*~|<:,;!?]|\.\s)/g;
/** What comes next tells whether these end an emphasis. */
const UNDECIDED = /_{1,3}\.?$/;

/** They become asterisks; those within a name or an address stay. Where the text ends in some, it is returned without them. */
export const withoutEmphasis = (text: string): string =>
  text.includes("_") ? text.replace(UNDECIDED, "").replace(EMPHASIS, (run) => "*".repeat(run.length)) : text;
