/** The server's time: what expires does so by its clock, and the browser's may be wrong. */

let aheadMs = 0;

/** `now`: ISO 8601, as the server has just said. */
export const setServerClock = (now: string): void => {
  aheadMs = Date.parse(now) - Date.now();
};

/** Milliseconds since 1970. */
export const serverNow = (): number => Date.now() + aheadMs;
