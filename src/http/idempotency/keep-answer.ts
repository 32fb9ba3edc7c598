/** Which answers are stored for their Idempotency-Key, and when: whole ones before they are sent, streams as they flow. */

import type { StoredAnswer } from "./store.ts";

const LARGEST_STORED_BYTES = 32 * 1024 * 1024;
/** Headers that are set anew for each answer, or have no meaning without its connection. */
const NOT_STORED = new Set([
  ...["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"],
  ...["date", "content-length", "connection", "transfer-encoding"],
]);

type Keep = (answer: StoredAnswer) => Promise<void>;
type Forget = () => Promise<void>;

/**
 * Returns the answer for the caller. A whole answer is kept even if the caller has left: who repeats the request after a time-out must not
 * start a second job. Of a stream only what was read to its end is kept; if it breaks off, the key is free again.
 */
export const keepAnswer = async (response: Response, keep: Keep, forget: Forget): Promise<Response> => {
  if (flows(response)) return keepStream(response, keep, forget);
  const body = await response.bytes();
  await (isWorthKeeping(response, body) ? keep(withBody(response, body)) : forget());
  return new Response(response.body && body, { status: response.status, headers: response.headers });
};

/** Event streams, and speech while it is made. */
const flows = ({ headers }: Response): boolean => /^(?:text\/event-stream|audio\/)/.test(headers.get("content-type") ?? "");

const withBody = ({ status, headers }: Response, body: Uint8Array): StoredAnswer => ({
  status,
  headers: [...headers].filter(([name]) => !NOT_STORED.has(name)),
  body,
});

/** Refused input may be corrected and sent again with the same key, and what failed may succeed; what was paid for must not be made again. */
const isWorthKeeping = ({ status }: Response, body: Uint8Array): boolean =>
  body.length <= LARGEST_STORED_BYTES &&
  (status < 400 || status === 422 || (status === 403 && tellsOfWithheld(new TextDecoder().decode(body))));

/** The caller's or the model's own text cannot contain this, because its quotation marks are escaped. */
const tellsOfWithheld = (text: string): boolean =>
  text.includes('"code":"CONTENT_BLOCKED"') && text.includes('"phase":"post_response"');

const keepStream = (response: Response, keep: Keep, forget: Forget): Response => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = response.body!.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            const whole = Buffer.concat(pieces);
            if (size > LARGEST_STORED_BYTES || brokeOff(response, whole)) await forget();
            else await keep(withBody(response, whole));
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

/** A stream that ended with an error event is not stored, unless its answer was made: a content policy or a strict schema refused it. */
const brokeOff = ({ headers }: Response, body: Buffer): boolean => {
  if (!headers.get("content-type")!.startsWith("text/event-stream")) return false;
  const last = body.toString("utf8", body.lastIndexOf("\ndata: ") + 1);
  if (!/^data: \{"(?:error|type":"error)/.test(last)) return false;
  return !tellsOfWithheld(last) && !last.includes('"type":"schema_validation_failed"');
};
