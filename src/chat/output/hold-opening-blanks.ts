/**
 * Blanks that open a streamed answer wait for its first word, because alone they are no content: an attempt that fails or ends before is
 * followed by another one, whose answer comes without them. Many models that think begin their answers with blanks.
 */

/** A model that sends nothing but blanks must not keep its reader waiting. */
const MOST_BLANKS = 100;

/** Takes each text of one answer, and returns what may be sent after it. */
export const holdOpeningBlanks = (): ((text: string) => string) => {
  let blanks = "";
  let hasBegun = false;
  return (text) => {
    if (hasBegun) return text;
    blanks += text;
    hasBegun = /\S/.test(text) || blanks.length > MOST_BLANKS;
    return hasBegun ? blanks : "";
  };
};
