/** How many times the usual deadline a whole answer has for its first byte, which comes when the last of its tokens is made. */

const MOST_PATIENCE = 4;

/** `inTime`: the tokens that suit the usual one. */
export const patience = (tokens = 0, inTime: number): number => Math.min(MOST_PATIENCE, Math.max(1, tokens / inTime));
