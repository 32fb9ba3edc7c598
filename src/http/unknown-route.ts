/** Tells an unknown path (404) from a known one asked with the wrong method (405 with `Allow`). */

import { ApiError, notFound } from "../api-error.ts";

type Route = { method: string; path: string };

export const unknownRoute = (routes: readonly Route[], method: string, path: string): ApiError => {
  const allowed = [...new Set(routesAt(routes, path).map((route) => route.method))];
  if (allowed.length === 0) return notFound(`The path ${path.slice(0, 200)}`);
  return new ApiError("method_not_allowed", `${path} takes ${allowed.join(", ")}, not ${method}.`, {
    headers: { allow: allowed.join(", ") },
  });
};

/** All that answer on a path, whatever their method. */
export const routesAt = <Some extends Route>(routes: readonly Some[], path: string): Some[] => {
  const exact = routes.filter((route) => route.path === path);
  return exact.length > 0 ? exact : routes.filter((route) => matches(route.path, path));
};

const matches = (pattern: string, path: string): boolean => {
  const wanted = pattern.split("/");
  const given = path.replace(/\/$/, "").split("/");
  if (wanted.at(-1) === "*")
    return given.length >= wanted.length && wanted.slice(0, -1).every((part, index) => part === given[index]);
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(":") || part === given[index]);
};
