/** Counts every answered request by its route. Paths are counted by their pattern, so that ids create no series. */

import type { RouteEntry } from "../http/describe.ts";
import type { Platform } from "../platform.ts";

type Handle = (request: Request) => Promise<Response>;

export const observeRequests = (platform: Platform, handle: Handle, routes: () => readonly RouteEntry[]): Handle => {
  let patternOf: ((path: string) => string) | undefined;
  return async (request) => {
    const began = performance.now();
    const response = await handle(request);
    patternOf ??= createMatcher(routes().map(({ path }) => path));
    const { path, requestId } = platform.exchanges.of(request);
    const answered = {
      method: METHODS.has(request.method) ? request.method : "other",
      route: patternOf(path),
      status: response.status,
      durationMs: performance.now() - began,
    };
    platform.telemetry.requestAnswered(answered);
    if (platform.config.logLevel === "debug") {
      const { durationMs, ...rest } = answered;
      platform.log.debug("Request", { request_id: requestId, ...rest, duration_ms: Math.round(durationMs) });
    }
    return response;
  };
};

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

/** `/v1/logs/call_7` → `/v1/logs/:call_id`; what no route answers → `unknown`. */
export const createMatcher = (patterns: readonly string[]): ((path: string) => string) => {
  const fixed = new Set(patterns.filter((pattern) => !/[:*]/.test(pattern)));
  const open = patterns.filter((pattern) => !fixed.has(pattern)).map((pattern) => ({ pattern, parts: pattern.split("/") }));
  return (path) => {
    if (fixed.has(path)) return path;
    const parts = path.split("/");
    return open.find(({ parts: wanted }) => fits(wanted, parts))?.pattern ?? "unknown";
  };
};

const fits = (wanted: readonly string[], parts: readonly string[]): boolean =>
  (wanted.length === parts.length || (wanted.at(-1) === "*" && parts.length >= wanted.length)) &&
  wanted.every((part, index) => part === "*" || part.startsWith(":") || part === parts[index]);
