/** Media as server-sent events in OpenAI's formats, for clients that request a stream. */

import type { ApiError } from "../api-error.ts";
import { errorMember } from "../http/error-envelope.ts";
import { SSE_HEADERS } from "../http/sse.ts";

type MediaEvent = { type: string; [field: string]: unknown };

const frameOf = (content: object): string => `data: ${JSON.stringify(content)}\n\n`;
const DONE = "data: [DONE]\n\n";

/** For results that are complete before they are sent. */
export const eventsResponse = (events: readonly MediaEvent[]): Response =>
  new Response(`${events.map(frameOf).join("")}${DONE}`, { headers: SSE_HEADERS });

type SoundEvents = {
  /** The last event of complete audio. */
  done: MediaEvent;
  /** The error event of audio that breaks off. */
  broken: ApiError;
  requestId: string;
};

/** For streamed audio: each piece as it comes. */
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
          return controller.enqueue(bytesOf(frameOf({ type: "speech.audio.delta", audio: value.toBase64() })));
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
