/**
 * Admission to every route that needs a key: authentication, permission and rate limit, before anything of the body is read (safety-notes
 * §6).
 */

import { type DocumentDecoration, Elysia } from "elysia";
import type { Scope } from "../accounts/api-key.ts";
import type { Caller } from "../accounts/authenticate.ts";
import { permissionDenied } from "../api-error.ts";
import { childOf, toTraceparent } from "../lib/trace-context.ts";
import { type LimitState, rateHeaders } from "../limits/limit-state.ts";
import { requireFeature, type TierFeature } from "../limits/require-tier.ts";
import { isWork, type LimitGroup } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import { mayBeLarge } from "./body-room.ts";
import { originOf } from "./request-origin.ts";
import { userInHeader } from "./user-in-header.ts";

export type GuardRule = {
  scope: Scope;
  /** Absent: the route is not limited. */
  group?: LimitGroup;
  /** The route counts the request itself, once it knows the amount; here only the headers are set. */
  countsItself?: boolean;
  /** Nothing is counted, because an earlier answer is sent again; only the headers are set. */
  isReplay?: boolean;
  /** A feature that not every tier has. */
  feature?: TierFeature;
  /** The most that the route reads of a body; by default the bound of plain JSON. */
  maxBytes?: number;
};

export const guarded = (platform: Platform) =>
  new Elysia({ name: "guarded", seed: platform.instance }).macro({
    guard: (rule: GuardRule) => ({
      // The rule, for the OpenAPI document: Elysia keeps no other trace of it.
      detail: { signalboxGuard: rule } as DocumentDecoration,
      // The route reads its body itself, after admission and within a bound. (Elysia accepts this value in macros, but its types do not.)
      parse: "none" as never,
      resolve: ({ request, set }) => ({ caller: admit(platform, rule, request, set.headers as Record<string, string>) }),
    }),
  });

/** Throws 401, 403 or 429; on success the rate headers of the group are set. */
export const admit = (platform: Platform, rule: GuardRule, request: Request, headers: Record<string, string>): Caller => {
  const exchange = platform.exchanges.of(request);
  const { key, project } = exchange.vouched ?? platform.accounts.authenticate(request.headers);
  if (key.scopes !== null && !key.scopes.includes(rule.scope)) {
    if (rule.group !== undefined) showRate(platform, { project, mode: key.mode }, rule.group, headers);
    throw permissionDenied(
      `This key has no scope \`${rule.scope}\`; it has ${key.scopes.join(", ")}. Use a key with that scope.`,
    );
  }
  const caller: Caller = {
    requestId: exchange.requestId,
    project,
    key,
    mode: key.mode,
    startedAtMs: exchange.startedAtMs,
    startedAt: exchange.startedAt,
    ip: exchange.ip,
    ...(exchange.operator && { operator: exchange.operator }),
    userAgent: request.headers.get("user-agent"),
    ...userInHeader(platform.config, request.headers),
    ...traceOf(platform, request),
    origin: originOf(platform.config, request),
  };
  if (rule.group !== undefined) countOnce(platform, rule, rule.group, request, caller, headers);
  if (rule.feature !== undefined) requireFeature(project, rule.feature);
  exchange.freeBody ??= mayBeLarge(request) ? platform.bodyRoom(request, caller) : undefined;
  return caller;
};

/** Counts the request towards its key's own limit and towards that of the group, and shows what they leave. */
const countOnce = (
  platform: Platform,
  { isReplay, countsItself }: GuardRule,
  group: LimitGroup,
  request: Request,
  caller: Caller,
  headers: Record<string, string>,
): void => {
  const exchange = platform.exchanges.of(request);
  // Gap: an operator who looks at a project in the dashboard does not use up its limits; calls of a model count as usual.
  if (exchange.vouched !== undefined && !isWork(group)) return;
  const { key } = caller;
  const { ofKey } = platform.limits;
  const isNew = !exchange.isCounted && !isReplay;
  // A GET of such a group only asks for what was made.
  const isOfKey = ofKey.has(key) && isWork(group) && request.method === "POST";
  if (isNew && isOfKey) ofKey.require(key);
  if (isNew && !countsItself) countRequest(platform, caller, group, headers);
  else showRate(platform, caller, group, headers);
  if (isNew && isOfKey) {
    ofKey.count(key);
    exchange.uncount = () => ofKey.uncount(key, exchange.startedAtMs);
  }
  if (isOfKey) setRate(headers, ofKey.states(key).requests);
  if (isNew) exchange.isCounted = true;
};

/** Our own span between the caller's and the upstream's; none if tracing is off. */
const traceOf = (platform: Platform, request: Request): Pick<Caller, "traceparent" | "trace"> => {
  const header = request.headers.get("traceparent");
  if (header === null && platform.config.otlp === undefined) return { traceparent: null };
  const trace = childOf(header);
  return { traceparent: toTraceparent(trace), trace };
};

/** Counts the request in the group and sets its headers; throws 429. */
export const countRequest = (
  platform: Platform,
  caller: Pick<Caller, "project" | "mode">,
  group: LimitGroup,
  headers: Record<string, string>,
): void => setRate(headers, platform.limits.admit(caller, group));

/** Sets the group's headers without counting. */
export const showRate = (
  platform: Platform,
  caller: Pick<Caller, "project" | "mode">,
  group: LimitGroup,
  headers: Record<string, string>,
): void => setRate(headers, platform.limits.peek(caller, group));

/** The limit that leaves the least is shown. */
const setRate = (headers: Record<string, string>, state: LimitState | undefined): void => {
  if (state === undefined || Number(headers["x-ratelimit-remaining"]) < Math.floor(state.remaining)) return;
  Object.assign(headers, rateHeaders(state));
};
