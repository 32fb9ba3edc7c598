/**
 * `Idempotency-Key` on any POST (decisions §5): the first answer is stored for 24 h and replayed, streams as streams.
 * A layer around the whole app, so that no route has to know of it.
 */

import { ApiError, invalidRequest } from "../api-error.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../process-log.ts";
import { errorResponse } from "./error-envelope.ts";
import { pathOf, requestIdHeaders } from "./exchange.ts";
import { admit, type GuardRule } from "./guarded.ts";
import {
  beginIdempotent,
  finishIdempotent,
  forgetIdempotent,
  type IdempotencyPlace,
  type IdempotencyState,
  isClaimed,
  type StoredAnswer,
} from "./idempotency-store.ts";
import { isWorthKeeping, keepAnswer } from "./keep-answer.ts";
import { readBody } from "./read-body.ts";
import { isMultipart } from "./read-multipart.ts";

type Handle = (request: Request) => Promise<Response>;

const LONGEST_KEY = 255;

/** What its route asks of a key; undefined for a path without a route. */
type RuleOf = (request: Request) => GuardRule | undefined;

/** What its requests share. `underWay`: the ids of those that are first under their key, until their answer is kept or given up. */
type Layer = { platform: Platform; handle: Handle; underWay: Set<string> };

export const createIdempotency = (platform: Platform, handle: Handle, ruleOf: RuleOf): Handle => {
  const layer: Layer = { platform, handle, underWay: new Set() };
  return async (request) => {
    const key = request.method === "POST" ? request.headers.get("idempotency-key") : null;
    const rule = key === null ? undefined : ruleOf(request);
    // Where there is no route, or none that asks for a key, nothing is kept.
    if (key === null || rule === undefined) return handle(request);
    try {
      return await once(layer, rule, request, key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return refuse(platform, rule, request, error);
    }
  };
};

/** What the door refuses is refused as there; with all else the limits are shown as they stand. */
const refuse = (platform: Platform, rule: GuardRule, request: Request, error: ApiError): Response => {
  const shown: Record<string, string> = {};
  let refusal = error;
  try {
    lookIn(platform, rule, request, shown);
  } catch (atDoor) {
    if (!(atDoor instanceof ApiError)) throw atDoor;
    refusal = atDoor;
  }
  const response = errorResponse(refusal, platform.exchanges.of(request));
  for (const [name, value] of Object.entries(shown)) response.headers.set(name, value);
  return response;
};

const once = async (layer: Layer, rule: GuardRule, request: Request, key: string): Promise<Response> => {
  const { platform } = layer;
  const claim = await claimKey(layer, rule, request, key);
  if (claim.earlier === undefined) return answerFirst(layer, request, claim);
  const fresh = requestIdHeaders(platform.exchanges.of(request));
  lookIn(platform, rule, request, fresh);
  return replay(claim.earlier, fresh);
};

/** Beside the deadline of the call itself: its body has to arrive, and its answer to be read. */
const AROUND_A_CALL_MS = 5 * 60_000;

type Claim = {
  place: IdempotencyPlace;
  requestId: string;
  body: Uint8Array;
  /** Absent where this request is the first. */
  earlier?: StoredAnswer;
};

/** Throws 400 for an unusable key, 422 where it came with another body, 409 while its first request still runs. */
const claimKey = async ({ platform, underWay }: Layer, rule: GuardRule, request: Request, key: string): Promise<Claim> => {
  const { requestId, vouched } = platform.exchanges.of(request);
  const asking = vouched ?? platform.accounts.authenticate(request.headers);
  if (key === "" || key.length > LONGEST_KEY)
    throw invalidRequest(`Idempotency-Key must have 1 to ${LONGEST_KEY} characters.`, "Idempotency-Key");
  // A test key is a world of its own: what its sandbox said is no answer to a live call.
  const route = `POST ${pathOf(request.url)}${asking.key.mode === "test" ? " (test)" : ""}`;
  const place = { projectId: asking.project.id, route, key };
  // As at the door, nothing is read of a body that would be refused there. What was asked before may have been answered.
  lookIn(platform, rule, request, {});
  if (!isClaimed(platform.db, place)) requireRoom(platform, rule, request, asking);
  const body = await readBody(request, BOUNDS.documentJsonBodyBytes + BOUNDS.multipartOverheadBytes);
  let isFirst = false;
  underWay.add(requestId);
  try {
    const state = await beginIdempotent(platform.db, place, {
      bodyHash: digestOf(request, body),
      owner: requestId,
      now: platform.clock.now(),
      longestRunMs: platform.config.timeouts.totalMs + AROUND_A_CALL_MS,
      underWay,
    });
    isFirst = state.kind === "new";
    return { place, requestId, body, ...earlierOf(state) };
  } finally {
    if (!isFirst) underWay.delete(requestId);
  }
};

/** Throws as `claimKey` does. */
const earlierOf = (state: IdempotencyState): Pick<Claim, "earlier"> => {
  switch (state.kind) {
    case "mismatch":
      throw new ApiError("idempotency_mismatch", "This Idempotency-Key was used with another body within the last 24 hours.", {
        param: "Idempotency-Key",
      });
    case "running":
      throw new ApiError("idempotency_in_progress", "The first request with this Idempotency-Key is still running.", {
        retryAfterSeconds: 1,
      });
    case "done":
      return { earlier: state.answer };
    case "new":
      return {};
  }
};

const answerFirst = async (
  { platform, handle, underWay }: Layer,
  request: Request,
  { place, requestId, body }: Claim,
): Promise<Response> => {
  const forward = new Request(request.url, {
    method: "POST",
    headers: request.headers,
    body: body as Uint8Array<ArrayBuffer>,
    signal: request.signal,
  });
  platform.exchanges.adopt(forward, request);
  /** The answer stands also where nothing can be written of it; its key is then free. */
  const settle = async (write: Promise<void>): Promise<void> => {
    await write.catch((error) => platform.log.error("An Idempotency-Key could not be settled", describeError(error)));
    underWay.delete(requestId);
  };
  const forget = () => settle(forgetIdempotent(platform.db, place, requestId));
  try {
    const response = await handle(forward);
    if (!(await isWorthKeeping(response))) {
      await forget();
      return response;
    }
    return keepAnswer(platform, response, (answer) => settle(finishIdempotent(platform.db, place, requestId, answer)), forget);
  } catch (error) {
    await forget();
    throw error;
  }
};

/** Multipart boundaries differ between two sendings of the same form, so they do not count as part of the body. */
const digestOf = (request: Request, body: Uint8Array): string => {
  const boundary = isMultipart(request) ? /boundary="?([^";]+)/i.exec(request.headers.get("content-type")!)?.[1] : undefined;
  const hasher = new Bun.CryptoHasher("sha256");
  if (boundary === undefined) return hasher.update(body).digest("hex");
  // One character for it: a boundary may be as short, and the body must not grow.
  return hasher.update(Buffer.from(body).toString("latin1").replaceAll(boundary, "\0"), "latin1").digest("hex");
};

/** A replay is refused to a key that could not have asked; it is not counted, and shows the limits as they stand. */
const lookIn = (platform: Platform, rule: GuardRule, request: Request, headers: Record<string, string>): void =>
  void admit(platform, { ...rule, countsItself: true }, request, headers);

/** Throws 429 where the door would, and counts nothing: the door will. */
const requireRoom = (
  platform: Platform,
  rule: GuardRule,
  request: Request,
  { project, key }: ReturnType<Platform["accounts"]["authenticate"]>,
): void => {
  if (rule.group === undefined || rule.countsItself) return;
  const state = platform.limits.peek({ project, mode: key.mode }, rule.group);
  if (state !== undefined && state.remaining < 1) admit(platform, rule, request, {});
};

/** Under the id of the original call, which is in its body and in the log. */
const replay = (answer: StoredAnswer, fresh: Record<string, string>): Response => {
  const headers = new Headers({ ...fresh, "x-svc-idempotent-replay": "true" });
  for (const [name, value] of answer.headers) headers.set(name, value);
  return new Response(answer.body as Uint8Array<ArrayBuffer>, { status: answer.status, headers });
};
