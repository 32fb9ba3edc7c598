/** Which answers are stored for their Idempotency-Key, and how: while they pass through to the caller, streams as they flow. */

import type { StoredAnswer } from "./store.ts";

const LARGEST_STORED_BYTES = 32 * 1024 * 1024;
/** Headers that are set anew for each answer, or have no meaning without its connection. */
const NOT_STORED = new Set([
  ...["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"],
  ...["date", "content-length", "connection", "transfer-encoding"],
]);

/** Whether the answer is final, or was paid for, so that repeating the request must not run it again. */
export const isWorthKeeping = async (response: Response): Promise<boolean> =>
  isSettled(response.status) || (await isWithheld(response));

/** Refused input may be corrected and sent again with the same key; a temporary failure may succeed later. */
const isSettled = (status: number): boolean =>
  status < 400 || (status !== 429 && status < 500 && ![400, 401, 403, 404, 409, 413, 415].includes(status));

/** An answer that was paid for before a content policy withheld it: running it again would cost again. */
const isWithheld = async (response: Response): Promise<boolean> =>
  response.status === 403 && tellsOfWithheld(await response.clone().text());

/** The caller's or the model's own text cannot contain this, because its quotation marks are escaped. */
const tellsOfWithheld = (text: string): boolean =>
  text.includes('"code":"CONTENT_BLOCKED"') && text.includes('"phase":"post_response"');

/** Passes the answer through. When it has been read to its end it is stored; if it breaks off, the key is free again. */
export const keepAnswer = async (
  response: Response,
  keep: (answer: StoredAnswer) => Promise<void>,
  forget: () => Promise<void>,
): Promise<Response> => {
  const headers = [...response.headers].filter(([name]) => !NOT_STORED.has(name));
  if (response.body === null) {
    await keep({ status: response.status, headers, body: new Uint8Array() });
    return response;
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
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
        await reader.cancel(reason).finally(forget);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
};

/** A stream that ended with an error event is not stored, unless a content policy ended it. */
const brokeOff = (response: Response, body: Buffer): boolean => {
  if (!(response.headers.get("content-type") ?? "").startsWith("text/event-stream")) return false;
  const error = /(?:^|\n)data: \{"(?:error|type":"error)[\s\S]*/.exec(body.subarray(-4096).toString("utf8"))?.[0];
  return error !== undefined && !tellsOfWithheld(error);
};
