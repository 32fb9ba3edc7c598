/** Responses of the chat routes: the answer headers of spec.md, and a stream that waits for its first content. */

import type { Caller } from "../accounts/authenticate.ts";
import { SSE_HEADERS, sseStream } from "../http/sse.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../process-log.ts";
import type { Answer } from "./answer.ts";
import type { ChatInput } from "./chat-input.ts";
import { type EncodeOptions, encodeStream } from "./encode-stream.ts";
import { type OpenedStream, streamChat } from "./stream-answer.ts";

/** Header values hold visible ASCII only; an operator's model id may hold more. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?");

export const answerHeaders = (answer: Answer): Record<string, string> => ({
  "x-svc-model": headerText(answer.model),
  "x-svc-fallback": String(answer.fallbackUsed),
  "x-svc-latency-ms": String(answer.svc["latency_ms"]),
});

export const jsonAnswer = (body: unknown, headers: Record<string, string>): Response =>
  new Response(JSON.stringify(body), { headers: { "content-type": "application/json", ...headers } });

export const streamResponse = (
  platform: Platform,
  caller: Caller,
  input: ChatInput,
  signal: AbortSignal,
  encoding: Omit<EncodeOptions, "onUnexpected">,
): Promise<Response> =>
  openStream(platform, caller, input, signal, (stream) =>
    encodeStream(stream, { ...encoding, onUnexpected: reportTo(platform, caller) }),
  );

/** Takes a place among the project's streams for as long as it runs; `encode` turns its parts into frames. */
export const openStream = async (
  platform: Platform,
  caller: Caller,
  input: ChatInput,
  signal: AbortSignal,
  encode: (stream: OpenedStream) => AsyncGenerator<string>,
): Promise<Response> => {
  const release = platform.limits.occupy(caller, "streams");
  const stream = await streamChat(platform, caller, input, signal, release);
  return new Response(sseStream(encode(stream), stream.late), {
    headers: {
      ...SSE_HEADERS,
      "x-svc-model": headerText(stream.model()),
      "x-svc-fallback": String(stream.fallbackUsed()),
      "x-svc-latency-ms": String(Math.max(0, Math.round(platform.clock.now() - caller.startedAtMs))),
    },
  });
};

/** That a caller hung up is told by the log of the call, not by the program's. */
export const reportTo = (platform: Platform, caller: Caller) => (error: unknown) => {
  if (error instanceof Error && error.name === "AbortError") return;
  platform.log.error("A stream failed unexpectedly", { request_id: caller.requestId, ...describeError(error) });
};
