/** Commands may write to a running server's file; the server relies on cached data for at most this long, in milliseconds. */
export const SEEN_WITHIN_MS = 250;
