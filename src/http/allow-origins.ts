/**
 * CORS: web pages of the origins that the operator names may call the API (`/v1/`, `/v2/rerank`) with a key and read the answers. Nobody
 * else may, and nobody with cookies: the dashboard is not open to other sites.
 */

import type { Platform } from "../platform.ts";
import { pathOf, requestIdHeaders } from "./exchange.ts";

type Handle = (request: Request) => Promise<Response>;

const API = /^\/v[12]\//;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const PREFLIGHT_HOLDS_S = "600";

export const allowOrigins = (platform: Platform, handle: Handle): Handle => {
  const { corsOrigins } = platform.config;
  if (corsOrigins.length === 0) return handle;
  return async (request) => {
    const origin = request.headers.get("origin");
    if (origin === null || !API.test(pathOf(request.url))) return handle(request);
    if (!corsOrigins.includes("*") && !corsOrigins.includes(origin.toLowerCase())) return handle(request);
    const response = isPreflight(request) ? preflight(platform, request) : await handle(request);
    response.headers.set("access-control-allow-origin", origin);
    response.headers.set("access-control-expose-headers", "*");
    response.headers.append("vary", "Origin");
    return response;
  };
};

const isPreflight = ({ method, headers }: Request): boolean =>
  method === "OPTIONS" && headers.has("access-control-request-method");

/** Browsers send this request, without a key, before the actual one. */
const preflight = (platform: Platform, request: Request): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...requestIdHeaders(platform.exchanges.of(request)),
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "authorization, content-type",
      "access-control-max-age": PREFLIGHT_HOLDS_S,
    },
  });
