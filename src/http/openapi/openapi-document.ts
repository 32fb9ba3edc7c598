/** The OpenAPI document, made from the routes themselves: what is reachable is in it, what is in it is reachable. */

import type { RouteDescription, RouteEntry } from "../describe.ts";
import { COMPONENTS, type Json, TAGS } from "./openapi-components.ts";
import { operationOf } from "./openapi-operation.ts";

/** `basePath`: what comes before `/v1`. */
export const openApiDocument = (routes: readonly RouteEntry[], version: string, basePath = ""): Json => {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const described = route.hooks?.detail?.signalbox as RouteDescription | undefined;
    if (described === undefined || route.method === "OPTIONS") continue;
    const path = route.path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{path}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, path, described) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Signalbox",
      version,
      description: "One API in front of many AI models: it decides, checks, falls back, and writes down why.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: basePath || "/" }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: COMPONENTS,
  };
};
