/**
 * `Idempotency-Key` on any POST (decisions §5): the first answer is stored for 24 h and replayed, streams as streams. A layer around the
 * whole app, so that routes need not know about it.
 */

import type { ApiKey } from "../../accounts/api-key.ts";
import type { Caller } from "../../accounts/authenticate.ts";
import { ApiError, invalidRequest } from "../../api-error.ts";
import { digest } from "../../lib/digest.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import type { Platform } from "../../platform.ts";
import { describeError } from "../../process-log.ts";
import { errorResponse } from "../error-envelope.ts";
import { pathOf, requestIdHeaders } from "../exchange.ts";
import { admit, type GuardRule } from "../guarded.ts";
import { readBody } from "../read-body.ts";
import { isMultipart } from "../read-multipart.ts";
import { keepAnswer } from "./keep-answer.ts";
import { replayAnswer } from "./replay-answer.ts";
import {
  beginIdempotent,
  type EarlierAnswer,
  finishIdempotent,
  forgetIdempotent,
  type IdempotencyPlace,
  type IdempotencyState,
  isClaimed,
  type StoredAnswer,
} from "./store.ts";

type Handle = (request: Request) => Promise<Response>;

const LONGEST_KEY = 255;

/** The guard rule of a request's route; undefined if there is no route. */
type RuleOf = (request: Request) => GuardRule | undefined;

/** Shared state. `underWay`: ids of requests that are the first with their key, until their answer is stored or given up. */
type Layer = { platform: Platform; handle: Handle; underWay: Set<string> };

export const createIdempotency = (platform: Platform, handle: Handle, ruleOf: RuleOf): Handle => {
  const layer: Layer = { platform, handle, underWay: new Set() };
  return async (request) => {
    const key = request.method === "POST" ? request.headers.get("idempotency-key") : null;
    if (key === null) return handle(request);
    const rule = ruleOf(request);
    // Nothing is stored without a route that needs a key, nor for a body that the route refuses unread, with an error of its own.
    if (rule === undefined || Number(request.headers.get("content-length")) > boundOf(rule)) return handle(request);
    return once(layer, rule, request, key);
  };
};

const boundOf = ({ maxBytes = BOUNDS.jsonBodyBytes }: GuardRule): number => maxBytes;

/** Whatever becomes of the request, its answer shows the limits as they stood at its admission. */
const once = async (layer: Layer, rule: GuardRule, request: Request, key: string): Promise<Response> => {
  const { platform } = layer;
  const exchange = platform.exchanges.of(request);
  const fresh = requestIdHeaders(exchange);
  try {
    const { caller, place } = admitKey(platform, rule, request, key, fresh);
    const claim = await claimKey(layer, rule, request, place);
    if ("body" in claim) return await answerFirst(layer, request, place, claim.body);
    return await replayAnswer(platform, { request, caller, place, ...claim, fresh });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const response = errorResponse(error, exchange);
    for (const [name, value] of Object.entries(fresh)) response.headers.set(name, value);
    return response;
  }
};

/** Comes before the body is read. Throws as `admit` does, and 400 for an unusable key. */
const admitKey = (
  platform: Platform,
  rule: GuardRule,
  request: Request,
  key: string,
  headers: Record<string, string>,
): { caller: Caller; place: IdempotencyPlace } => {
  const { vouched } = platform.exchanges.of(request);
  const { project, key: apiKey } = vouched ?? platform.accounts.authenticate(request.headers);
  const place = { projectId: project.id, route: `POST ${pathOf(request.url)}${marksOf(apiKey)}`, key };
  const isUsable = key !== "" && key.length <= LONGEST_KEY;
  // A replay needs a key that could have made the request, and does not count.
  const isReplay = !isUsable || isClaimed(platform.db, place);
  const caller = admit(platform, { ...rule, isReplay }, request, headers);
  if (isUsable) return { caller, place };
  throw invalidRequest(`Idempotency-Key must have 1 to ${LONGEST_KEY} characters; it has ${key.length}.`, "Idempotency-Key");
};

/** Extra time beside the call's own deadline, for receiving its body and reading its answer. */
const AROUND_A_CALL_MS = 5 * 60_000;

/** The first request with its key has to be answered; later ones have an answer. */
type Claim = { body: Uint8Array } | { answer: EarlierAnswer };

/** Throws 422 for a key that came with another body, 409 while its first request is still running. */
const claimKey = async (
  { platform, underWay }: Layer,
  rule: GuardRule,
  request: Request,
  place: IdempotencyPlace,
): Promise<Claim> => {
  const { requestId } = platform.exchanges.of(request);
  let isFirst = false;
  underWay.add(requestId);
  try {
    const body = await readBody(request, boundOf(rule));
    const state = await beginIdempotent(platform.db, place, {
      bodyHash: digestOf(request, body),
      owner: requestId,
      now: platform.clock.now(),
      longestRunMs: platform.config.timeouts.totalMs + AROUND_A_CALL_MS,
      underWay,
    });
    const answer = earlierAnswer(state);
    isFirst = answer === undefined;
    return answer === undefined ? { body } : { answer };
  } finally {
    if (!isFirst) underWay.delete(requestId);
  }
};

/**
 * Keeps the answers of some keys apart: a sandbox's must not be replayed to a live call, nor a model's to a key that may not use the model.
 */
const marksOf = ({ mode, models }: ApiKey): string =>
  `${mode === "test" ? " (test)" : ""}${models === null ? "" : ` ${digest(JSON.stringify(models.toSorted()))}`}`;

/** Undefined if this is the first request with its key. Throws as `claimKey` does. */
const earlierAnswer = (state: IdempotencyState): EarlierAnswer | undefined => {
  switch (state.kind) {
    case "mismatch":
      throw new ApiError(
        "idempotency_mismatch",
        "This Idempotency-Key was used with another body within the last 24 hours. Use a new key for a new request.",
        { param: "Idempotency-Key" },
      );
    case "running":
      throw new ApiError(
        "idempotency_in_progress",
        "The first request with this Idempotency-Key is still running. Send this one again later to get its answer.",
        { retryAfterSeconds: 1 },
      );
    case "done":
      return state.answer;
    case "new":
      return undefined;
  }
};

const answerFirst = async (
  { platform, handle, underWay }: Layer,
  request: Request,
  place: IdempotencyPlace,
  body: Uint8Array,
): Promise<Response> => {
  const { requestId } = platform.exchanges.of(request);
  const headers = new Headers(request.headers);
  // As it was read: unpacked.
  headers.delete("content-encoding");
  headers.set("content-length", String(body.length));
  const forward = new Request(request.url, {
    method: "POST",
    headers,
    body: body as Uint8Array<ArrayBuffer>,
    signal: request.signal,
  });
  platform.exchanges.adopt(forward, request);
  /** The answer is valid even if it cannot be stored; its key is then free again. */
  const settle = async (write: Promise<void>): Promise<void> => {
    await write.catch((error) => platform.log.error("An Idempotency-Key could not be settled", describeError(error)));
    underWay.delete(requestId);
  };
  const forget = () => settle(forgetIdempotent(platform.db, place, requestId));
  try {
    const keep = (answer: StoredAnswer) => settle(finishIdempotent(platform.db, place, requestId, answer));
    return await keepAnswer(await handle(forward), keep, forget);
  } catch (error) {
    await forget();
    throw error;
  }
};

/** Multipart boundaries differ each time the same form is sent, so they are not part of the digest. */
const digestOf = (request: Request, body: Uint8Array): string => {
  const boundary = isMultipart(request) ? /boundary="?([^";]+)/i.exec(request.headers.get("content-type")!)?.[1] : undefined;
  const hasher = new Bun.CryptoHasher("sha256");
  if (boundary === undefined) return hasher.update(body).digest("hex");
  // Replaced by one character, because a boundary may be as short, and the body must not grow.
  return hasher.update(Buffer.from(body).toString("latin1").replaceAll(boundary, "\0"), "latin1").digest("hex");
};
