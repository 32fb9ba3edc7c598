/** Tells an unknown path (404) from a known one asked with the wrong method (405 with `Allow`), or for a WebSocket (426). */

import { ApiError } from "../api-error.ts";

type Route = { method: string; path: string };
type Asked = Route & { upgrade?: string | null };

export const unknownRoute = (routes: readonly Route[], { method, path, upgrade }: Asked): ApiError => {
  const allowed = methodsAt(routes, path);
  // Matched by a wildcard whose handler does not know it either.
  if (allowed.length === 0 || allowed.includes(method)) {
    return new ApiError("not_found", `The path ${path.slice(0, 200)} was not found; ${adviceFor(routes, path)}`);
  }
  const headers = { allow: allowed.join(", ") };
  // Codex tries a WebSocket first, and goes on with HTTP at once only after this status.
  if (upgrade?.toLowerCase() === "websocket")
    return new ApiError("method_not_allowed", `${path} takes ${headers.allow}; there are no WebSockets here.`, {
      status: 426,
      headers: { ...headers, upgrade: "HTTP/1.1", connection: "upgrade" },
    });
  return new ApiError("method_not_allowed", `${path} takes ${headers.allow}, not ${method}.`, { headers });
};

const adviceFor = (routes: readonly Route[], path: string): string => {
  const meant = meantPath(routes, path);
  if (meant !== undefined)
    return `did you mean ${meant}? Mind whether the client's base URL ends in ${path.includes("//") ? "a slash" : "/v1"}.`;
  // Other gateways have a base URL for each vendor's API, as /openai/v1 or /anthropic; Cohere's clients add /v2 to it by themselves.
  const at = 1 + path.slice(1).search(/\/v[12]\//);
  const isKnown = at > 0 && path.length <= 200 && routesAt(routes, path.slice(at)).length > 0;
  if (!isKnown) return "/docs lists all paths.";
  return `did you mean ${path.slice(at)}? Leave ${path.slice(0, at)} out of the client's base URL.`;
};

/** Clients disagree about who adds `/v1` or a slash to the base URL, so one is easily missing or doubled. */
const meantPath = (routes: readonly Route[], path: string): string | undefined => {
  const single = path.replaceAll(/\/{2,}/g, "/");
  const meant = single.startsWith("/v1/v1/") ? single.slice("/v1".length) : single.startsWith("/v1/") ? single : `/v1${single}`;
  return meant !== path && meant.length <= 200 && routesAt(routes, meant).length > 0 ? meant : undefined;
};

/** A named route takes precedence over a wildcard. The server answers HEAD wherever it answers GET. */
const methodsAt = (routes: readonly Route[], path: string): string[] => {
  const all = routesAt(routes, path);
  const named = all.filter((route) => !route.path.endsWith("*"));
  return [...new Set((named.length > 0 ? named : all).flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method)))];
};

/** Fixed paths that a pattern beside them would read as an id (`/v1/documents/query`), with their methods. */
export const shadowedPaths = (routes: readonly Route[]): Map<string, string[]> =>
  new Map(
    routes
      .filter(({ path }) =>
        routes.some((other) => other.path.includes("/:") && other.path !== path && matches(other.path, partsOf(path))),
      )
      .map(({ path }) => [path, methodsAt(routes, path)]),
  );

/** All routes of a path, whatever their method. */
export const routesAt = <Some extends Route>(routes: readonly Some[], path: string): Some[] => {
  const exact = routes.filter((route) => route.path === path);
  if (exact.length > 0) return exact;
  const given = partsOf(path);
  return routes.filter((route) => matches(route.path, given));
};

const partsOf = (path: string): string[] => path.replace(/\/$/, "").split("/");

const matches = (pattern: string, given: readonly string[]): boolean => {
  const wanted = pattern.split("/");
  if (wanted.at(-1) === "*")
    return given.length >= wanted.length && wanted.slice(0, -1).every((part, index) => part === given[index]);
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(":") || part === given[index]);
};
