/** The table of contents: every error in one envelope, then each feature's routes in the order of the contract. */

import { Elysia } from "elysia";
import { ApiError, callerHungUp, invalidRequest } from "./api-error.ts";
import { audioRoutes } from "./audio/routes.ts";
import { chatRoutes } from "./chat/routes.ts";
import { anthropicRoutes } from "./compat/anthropic/routes.ts";
import { completionsRoutes } from "./compat/completions/routes.ts";
import { modelRoutes } from "./compat/models/routes.ts";
import { fetchedCompletionRoutes } from "./compat/openai/fetched-routes.ts";
import { openAiRoutes } from "./compat/openai/routes.ts";
import { fetchedResponseRoutes } from "./compat/responses/fetched-routes.ts";
import { responsesRoutes } from "./compat/responses/routes.ts";
import { createOperatorDoor } from "./dashboard/operator-door.ts";
import { dashboardRoutes } from "./dashboard/routes.ts";
import { documentRoutes } from "./documents/routes.ts";
import { fileRoutes } from "./files/routes.ts";
import { allowOrigins } from "./http/allow-origins.ts";
import type { RouteEntry } from "./http/describe.ts";
import { errorResponse, refusalOf } from "./http/error-envelope.ts";
import { requestIdHeaders } from "./http/exchange.ts";
import type { GuardRule } from "./http/guarded.ts";
import { healthRoutes } from "./http/health-routes.ts";
import { createIdempotency } from "./http/idempotency/idempotency.ts";
import { openApiRoutes } from "./http/openapi/openapi-routes.ts";
import { routesAt, shadowedPaths, unknownRoute } from "./http/unknown-route.ts";
import { imageRoutes } from "./images/routes.ts";
import { logRoutes } from "./logs/routes.ts";
import { memoryRoutes } from "./memory/routes.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import { moderationRoutes } from "./moderations/routes.ts";
import type { Platform } from "./platform.ts";
import { policyRoutes } from "./policies/routes.ts";
import { describeError } from "./process-log.ts";
import { rerankRoutes } from "./rerank/routes.ts";
import { learningRoutes } from "./route/learning-routes.ts";
import { routeRoutes } from "./route/routes.ts";
import { schemaRoutes } from "./schemas/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { observeRequests } from "./telemetry/observe-requests.ts";
import { telemetryRoutes } from "./telemetry/routes.ts";
import { usageRoutes } from "./usage/routes.ts";
import { videoRoutes } from "./video/routes.ts";

/** `handle` answers any request; `routes` lists what it answers. */
type App = { handle(request: Request): Promise<Response>; routes(): RouteEntry[] };

export const createApp = (platform: Platform): App => {
  const listed: { routes: RouteEntry[]; shadowed: Map<string, string[]> } = { routes: [], shadowed: new Map() };
  const app = new Elysia()
    .onRequest(({ request, set }) => {
      const exchange = platform.exchanges.of(request);
      Object.assign(set.headers, requestIdHeaders(exchange), { "x-content-type-options": "nosniff" });
      if (!isDecodable(exchange.path)) throw invalidRequest("The path is not valid percent-encoded UTF-8.");
      if (listed.shadowed.get(exchange.path)?.includes(request.method) === false)
        throw unknownAt(platform, listed.routes, request);
    })
    .onError({ as: "global" }, ({ request, error, code }) =>
      code === "NOT_FOUND"
        ? refuse(platform, request, unknownAt(platform, listed.routes, request))
        : refuse(platform, request, error),
    )
    .use(healthRoutes(platform))
    .use(chatRoutes(platform))
    .use(routeRoutes(platform))
    .use(learningRoutes(platform))
    .use(modelRoutes(platform))
    .use(openAiRoutes(platform))
    .use(completionsRoutes(platform))
    .use(fetchedCompletionRoutes(platform))
    .use(responsesRoutes(platform))
    .use(fetchedResponseRoutes(platform))
    .use(anthropicRoutes(platform))
    .use(imageRoutes(platform))
    .use(videoRoutes(platform))
    .use(audioRoutes(platform))
    .use(searchRoutes(platform))
    .use(rerankRoutes(platform))
    .use(moderationRoutes(platform))
    .use(documentRoutes(platform))
    .use(memoryRoutes(platform))
    .use(policyRoutes(platform))
    .use(schemaRoutes(platform))
    .use(metricsRoutes(platform))
    .use(usageRoutes(platform))
    .use(telemetryRoutes(platform))
    .use(logRoutes(platform))
    .use(fileRoutes(platform))
    .use(dashboardRoutes(platform))
    .use(openApiRoutes(platform, () => listed.routes));
  listed.routes = app.routes as RouteEntry[];
  listed.shadowed = shadowedPaths(listed.routes);
  const idempotent = createIdempotency(
    platform,
    (request) => Promise.resolve(app.handle(routable(request))),
    (request) => ruleOf(listed.routes, platform.exchanges.of(request).path),
  );
  const door = inEnvelope(platform, createOperatorDoor(platform, freeingBodies(platform, idempotent)));
  return { handle: observeRequests(platform, allowOrigins(platform, door), () => listed.routes), routes: () => listed.routes };
};

/** The guard rule of a path's POST. The router ignores repeated slashes at the beginning. */
const ruleOf = (routes: readonly RouteEntry[], path: string): GuardRule | undefined =>
  routesAt(routes, path.replace(/^\/+/, "/")).find(({ method }) => method === "POST")?.hooks?.detail?.signalboxGuard;

/** The router searches for the path after the eleventh character and would miss it with a host as short as `http://gw`, or none. */
const routable = (request: Request): Request => {
  const pathAt = request.url.startsWith("/") ? 0 : request.url.indexOf("/", 8);
  return pathAt > 10 ? request : Object.defineProperty(request, "url", { value: `http://localhost${request.url.slice(pathAt)}` });
};

/** A parameter that cannot be decoded would reach its route as undefined. */
const isDecodable = (path: string): boolean => {
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

const unknownAt = (platform: Platform, routes: readonly RouteEntry[], request: Request): ApiError => {
  const { path } = platform.exchanges.of(request);
  return unknownRoute(routes, { method: request.method, path, upgrade: request.headers.get("upgrade") });
};

const refuse = (platform: Platform, request: Request, error: unknown): Response => {
  const exchange = platform.exchanges.of(request);
  if (error instanceof ApiError && error.type === "rate_limit_exceeded") exchange.uncount?.();
  return errorResponse(error instanceof ApiError ? error : unexpected(platform, request, error), exchange, request);
};

const unexpected = (platform: Platform, request: Request, error: unknown): ApiError => {
  if (request.signal.aborted) return callerHungUp();
  if ((error as { code?: string })?.code === "PARSE") return invalidRequest("The request could not be read.");
  const refusal = refusalOf(error);
  const what = refusal.type === "service_unavailable" ? "The database could not be written" : "A request failed unexpectedly";
  platform.log.error(what, { request_id: platform.exchanges.of(request).requestId, ...describeError(error) });
  return refusal;
};

/** The memory that a request's body takes is counted until the answer begins. */
const freeingBodies =
  (platform: Platform, handle: App["handle"]): App["handle"] =>
  async (request) => {
    try {
      return await handle(request);
    } finally {
      platform.exchanges.of(request).freeBody?.();
    }
  };

/** Renders errors of the layers around the app, which its error hook does not see. */
const inEnvelope =
  (platform: Platform, handle: App["handle"]): App["handle"] =>
  (request) =>
    handle(request).catch((error) => refuse(platform, request, error));
