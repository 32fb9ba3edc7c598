/**
 * `Idempotency-Key` on any POST (decisions §5): the first answer is stored for 24 h and replayed, streams as streams.
 * A layer around the whole app, so that no route has to know of it.
 */

import { ApiError, invalidRequest } from "../api-error.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { errorResponse } from "./error-envelope.ts";
import { pathOf, requestIdHeaders } from "./exchange.ts";
import { admit, type GuardRule } from "./guarded.ts";
import {
  beginIdempotent,
  finishIdempotent,
  forgetIdempotent,
  type IdempotencyPlace,
  type StoredAnswer,
} from "./idempotency-store.ts";
import { readBody } from "./read-body.ts";

type Handle = (request: Request) => Promise<Response>;

const LONGEST_KEY = 255;
const LARGEST_STORED_BYTES = 32 * 1024 * 1024;
/** Set anew for each answer, or meaningless without its connection. */
const NOT_STORED = new Set([
  ...["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"],
  ...["date", "content-length", "connection", "transfer-encoding"],
]);

/** What its route asks of a key; undefined for a path without a route. */
type RuleOf = (request: Request) => GuardRule | undefined;

export const createIdempotency =
  (platform: Platform, handle: Handle, ruleOf: RuleOf): Handle =>
  async (request) => {
    const key = request.method === "POST" ? request.headers.get("idempotency-key") : null;
    if (key === null) return handle(request);
    try {
      return await once(platform, handle, ruleOf, request, key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return refuse(platform, ruleOf, request, error);
    }
  };

/** What the door refuses is refused as there; with all else the limits are shown as they stand. */
const refuse = (platform: Platform, ruleOf: RuleOf, request: Request, error: ApiError): Response => {
  const shown: Record<string, string> = {};
  let refusal = error;
  try {
    lookIn(platform, ruleOf, request, shown);
  } catch (atDoor) {
    if (!(atDoor instanceof ApiError)) throw atDoor;
    refusal = atDoor;
  }
  const response = errorResponse(refusal, platform.exchanges.of(request));
  for (const [name, value] of Object.entries(shown)) response.headers.set(name, value);
  return response;
};

const once = async (platform: Platform, handle: Handle, ruleOf: RuleOf, request: Request, key: string): Promise<Response> => {
  const claim = await claimKey(platform, request, key);
  if (claim.earlier === undefined) return answerFirst(platform, handle, request, claim);
  const fresh = requestIdHeaders(platform.exchanges.of(request));
  lookIn(platform, ruleOf, request, fresh);
  return replay(claim.earlier, fresh);
};

type Claim = {
  place: IdempotencyPlace;
  requestId: string;
  body: Uint8Array;
  /** Absent where this request is the first. */
  earlier?: StoredAnswer;
};

/** Throws 400 for an unusable key, 422 where it came with another body, 409 while its first request still runs. */
const claimKey = async (platform: Platform, request: Request, key: string): Promise<Claim> => {
  const { requestId, vouched } = platform.exchanges.of(request);
  const asking = vouched ?? platform.accounts.authenticate(request.headers);
  if (key === "" || key.length > LONGEST_KEY)
    throw invalidRequest(`Idempotency-Key must have 1 to ${LONGEST_KEY} characters.`, "Idempotency-Key");
  const body = await readBody(request, BOUNDS.documentJsonBodyBytes + BOUNDS.multipartOverheadBytes);
  // A test key is a world of its own: what its sandbox said is no answer to a live call.
  const route = `POST ${pathOf(request.url)}${asking.key.mode === "test" ? " (test)" : ""}`;
  const place = { projectId: asking.project.id, route, key };
  const state = await beginIdempotent(platform.db, place, digestOf(request, body), requestId, platform.clock.now());
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
      return { place, requestId, body, earlier: state.answer };
    case "new":
      return { place, requestId, body };
  }
};

const answerFirst = async (
  platform: Platform,
  handle: Handle,
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
  const forget = () => forgetIdempotent(platform.db, place, requestId);
  try {
    const response = await handle(forward);
    if (!isStored(response.status) && !(await isWithheld(response))) {
      await forget();
      return response;
    }
    return stored(platform, response, (answer) => finishIdempotent(platform.db, place, requestId, answer), forget);
  } catch (error) {
    await forget();
    throw error;
  }
};

/** Refused input may be corrected and sent again under the same key; a passing failure may succeed later. */
const isStored = (status: number): boolean =>
  status < 400 || (status !== 429 && status < 500 && ![400, 401, 403, 404, 409, 413, 415].includes(status));

/** An answer that was made, and paid for, before a content policy kept it back: asking again would pay again. */
const isWithheld = async (response: Response): Promise<boolean> =>
  response.status === 403 && tellsOfWithheld(await response.clone().text());

/** Of the caller's or the model's own words none can say this: their quotation marks are escaped. */
const tellsOfWithheld = (text: string): boolean =>
  text.includes('"code":"CONTENT_BLOCKED"') && text.includes('"phase":"post_response"');

/** Multipart boundaries differ between two sendings of the same form, so they do not count as part of the body. */
const digestOf = (request: Request, body: Uint8Array): string => {
  const boundary = /boundary="?([^";]+)/i.exec(request.headers.get("content-type") ?? "")?.[1];
  const hasher = new Bun.CryptoHasher("sha256");
  if (boundary === undefined) return hasher.update(body).digest("hex");
  return hasher.update(Buffer.from(body).toString("latin1").replaceAll(boundary, "boundary"), "latin1").digest("hex");
};

/** The answer passes through; when it has been read to its end it is stored, when it broke off the key is free again. */
const stored = (
  platform: Platform,
  response: Response,
  keep: (answer: StoredAnswer) => Promise<void>,
  forget: () => Promise<void>,
): Response => {
  const headers = [...response.headers].filter(([name]) => !NOT_STORED.has(name));
  const pieces: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) {
    platform.background.soon("idempotency", () => keep({ status: response.status, headers, body: new Uint8Array() }));
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            const whole = Buffer.concat(pieces);
            if (size > LARGEST_STORED_BYTES || brokeOff(response, whole)) await forget();
            else await keep({ status: response.status, headers, body: whole });
            controller.close();
            return;
          }
          size += value.byteLength;
          if (size <= LARGEST_STORED_BYTES) pieces.push(value);
          controller.enqueue(value);
        } catch (error) {
          await forget();
          controller.error(error);
        }
      },
      async cancel(reason) {
        await reader.cancel(reason);
        await forget();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
};

/** A stream that ended with an error event is no answer to keep, unless a content policy ended it. */
const brokeOff = (response: Response, body: Buffer): boolean => {
  if (!(response.headers.get("content-type") ?? "").startsWith("text/event-stream")) return false;
  const error = /(?:^|\n)data: \{"(?:error|type":"error)[\s\S]*/.exec(body.subarray(-4096).toString("utf8"))?.[0];
  return error !== undefined && !tellsOfWithheld(error);
};

/** A replay is refused to a key that could not have asked; it is not counted, and shows the limits as they stand. */
const lookIn = (platform: Platform, ruleOf: RuleOf, request: Request, headers: Record<string, string>): void => {
  const rule = ruleOf(request);
  if (rule !== undefined) admit(platform, { ...rule, countsItself: true }, request, headers);
};

/** Under the id of the original call, which is in its body and in the log. */
const replay = (answer: StoredAnswer, fresh: Record<string, string>): Response => {
  const headers = new Headers({ ...fresh, "x-svc-idempotent-replay": "true" });
  for (const [name, value] of answer.headers) headers.set(name, value);
  return new Response(answer.body as Uint8Array<ArrayBuffer>, { status: answer.status, headers });
};
