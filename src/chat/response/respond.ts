/** Responses of the chat routes: the answer headers of spec.md, and a stream that waits for its first content. */

import type { Caller } from "../../accounts/authenticate.ts";
import { SSE_HEADERS } from "../../http/sse.ts";
import type { Platform } from "../../platform.ts";
import { answerChat } from "../answer.ts";
import { newDraft } from "../call-draft.ts";
import { leaveMemory } from "../context/session-memory.ts";
import type { ChatInput } from "../request/chat-input.ts";
import { streamChat } from "../stream-answer.ts";
import type { StreamEncoder, StreamFacts } from "./outlet.ts";
import type { Answer } from "./whole-answer.ts";

/** Header values hold visible ASCII only; an operator's model id may hold more. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]/g, "?");

const answerHeaders = (answer: Answer): Record<string, string> => ({
  "x-svc-model": headerText(answer.model),
  "x-svc-fallback": String(answer.fallbackUsed),
  "x-svc-latency-ms": String(answer.svc["latency_ms"]),
});

const JSON_TYPE = { "content-type": "application/json" };

/** What a route answers: the text alone. To put the door's headers on a Response, the framework would make a stream of its body. */
export const jsonAnswer = (set: { headers: object }, body: unknown): string => {
  Object.assign(set.headers, JSON_TYPE);
  return JSON.stringify(body);
};

/** Answers whole, as `toBody` has it. What the headers tell of the answer is said once it may leave. */
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

/** Takes a place among the project's streams for as long as it runs. */
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

/** Throws 429; a stream too many does not count among the minute's and the day's requests. */
const takePlace = ({ limits }: Platform, caller: Caller): (() => void) => {
  try {
    return limits.occupy(caller, "streams");
  } catch (error) {
    limits.uncount(caller, "chat", caller.startedAtMs);
    throw error;
  }
};
