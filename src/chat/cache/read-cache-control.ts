/** Whether an answer given before will do, and how long a new one is kept: from the project's setting and the caller's `Cache-Control`. */

import { MOST_CACHE_S } from "../../accounts/project.ts";

export type Reuse = {
  /** How old an answer may be; 0: a model must be asked. */
  maxAgeMs: number;
  keepMs: number;
};

/** Undefined if answers are neither given again nor kept. Directives that do not concern them are ignored. */
export const readCacheControl = (header: string | null, ttlS = 0): Reuse | undefined => {
  if (header === null && ttlS === 0) return undefined;
  const directives = (header ?? "")
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim());
  const seconds = directives.map((directive) => /^max-age="?(\d+)"?$/.exec(directive)?.[1]).find((found) => found !== undefined);
  const maxAgeS = seconds === undefined ? ttlS : Math.min(Number(seconds), MOST_CACHE_S);
  const keepS = Math.max(ttlS, maxAgeS);
  if (directives.includes("no-store") || keepS === 0) return undefined;
  return { maxAgeMs: directives.includes("no-cache") ? 0 : 1000 * maxAgeS, keepMs: 1000 * keepS };
};
