/** Responses of the chat routes: the answer headers of spec.md, and a stream that waits for its first content. */

import type { Caller } from "../../accounts/authenticate.ts";
import type { HeaderName } from "../../http/openapi-components.ts";
import { SSE_HEADERS } from "../../http/sse.ts";
import type { Platform } from "../../platform.ts";
import { answerChat } from "../answer.ts";
import { newDraft } from "../call-draft.ts";
import { leaveMemory } from "../context/session-memory.ts";
import type { ChatInput } from "../request/chat-input.ts";
import { streamChat } from "../stream-answer.ts";
import type { StreamEncoder, StreamFacts } from "./outlet.ts";
import type { Answer } from "./whole-answer.ts";

/** Header values can hold only visible ASCII, but an operator's model id may hold more. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?");

/** As the OpenAPI document names them. */
export const ANSWER_HEADERS: HeaderName[] = ["X-Svc-Model", "X-Svc-Fallback", "X-Svc-Latency-Ms"];

const answerHeaders = (answer: Answer): Record<string, string> => ({
  "x-svc-model": headerText(answer.model),
  "x-svc-fallback": String(answer.fallbackUsed),
  "x-svc-latency-ms": String(answer.svc["latency_ms"]),
});

const JSON_TYPE = { "content-type": "application/json" };

/** Returns the body as text: if it were a Response, the framework would turn it into a stream to add headers. */
export const jsonAnswer = (set: { headers: object }, body: unknown): string => {
  Object.assign(set.headers, JSON_TYPE);
  return JSON.stringify(body);
};

/** Sends a whole answer in the form that `toBody` gives it. The headers that describe it are set once it may be sent. */
export const sendAnswer = async (
  platform: Platform,
  { caller, request, set }: { caller: Caller; request: Request; set: { headers: object } },
  input: ChatInput,
  toBody: (answer: Answer) => unknown,
): Promise<string> => {
  const { headers, text } = await answerChat(platform, caller, input, request.signal, (answer) => ({
    headers: answerHeaders(answer),
    text: JSON.stringify(toBody(answer)),
  }));
  Object.assign(set.headers, JSON_TYPE, headers);
  return text;
};

/** Takes one of the project's concurrent streams for as long as it runs. */
export const openStream = async (
  platform: Platform,
  caller: Caller,
  input: ChatInput,
  signal: AbortSignal,
  encoderFor: (stream: StreamFacts) => StreamEncoder,
): Promise<Response> => {
  const freePlace = takePlace(platform, caller);
  const release = (): void => {
    freePlace();
    leaveMemory(platform, caller, input);
  };
  const { body, facts } = await streamChat(
    platform,
    { draft: newDraft(platform, { caller, input, streamed: true, signal }), release },
    encoderFor,
  );
  return new Response(body, {
    headers: {
      ...SSE_HEADERS,
      "x-svc-model": headerText(facts.model()),
      "x-svc-fallback": String(facts.fallbackUsed()),
      "x-svc-latency-ms": String(Math.max(0, Math.round(platform.clock.now() - caller.startedAtMs))),
    },
  });
};

/** Throws 429. A stream beyond the limit does not count as a request of the minute and the day. */
const takePlace = ({ limits }: Platform, caller: Caller): (() => void) => {
  try {
    return limits.occupy(caller, "streams");
  } catch (error) {
    limits.uncount(caller, "chat", caller.startedAtMs);
    throw error;
  }
};
