/** Commands write to the file of a running server: how long, in milliseconds, the server may go on by what it remembers. */
export const SEEN_WITHIN_MS = 250;
