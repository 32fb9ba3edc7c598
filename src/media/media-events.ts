/** Media as server-sent events, in the forms of OpenAI's API: what its SDKs read where a client asks for a stream. */

import type { ApiError } from "../api-error.ts";
import { errorMember } from "../http/error-envelope.ts";
import { SSE_HEADERS } from "../http/sse.ts";

type MediaEvent = { type: string; [field: string]: unknown };

const frameOf = (content: object): string => `data: ${JSON.stringify(content)}\n\n`;
const DONE = "data: [DONE]\n\n";

/** Of what was made whole before it is sent. */
export const eventsResponse = (events: readonly MediaEvent[]): Response =>
  new Response(`${events.map(frameOf).join("")}${DONE}`, { headers: SSE_HEADERS });

type SoundEvents = {
  /** The last event of sound that is complete. */
  done: MediaEvent;
  /** What is said of sound that breaks off. */
  broken: ApiError;
  requestId: string;
};

/** Of sound that flows: each piece as it comes. */
export const soundEvents = (
  audio: ReadableStream<Uint8Array>,
  { done, broken, requestId }: SoundEvents,
): ReadableStream<Uint8Array> => {
  const reader = audio.getReader();
  const bytesOf = (frames: string) => new TextEncoder().encode(frames);
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { value } = await reader.read();
        if (value !== undefined) {
          const audio = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
          return controller.enqueue(bytesOf(frameOf({ type: "speech.audio.delta", audio })));
        }
        controller.enqueue(bytesOf(frameOf(done) + DONE));
      } catch {
        controller.enqueue(bytesOf(frameOf({ error: errorMember(broken, requestId, true) })));
      }
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
};
