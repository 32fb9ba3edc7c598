/** The sandbox asked as a provider is, and what tests ask of its answers. */

import { expect } from "bun:test";
import type { CallContext, ChatEvent, ChatMessage, ChatRequest } from "../../src/providers/provider.ts";
import { createSandbox } from "../../src/providers/sandbox/sandbox.ts";
import { UpstreamError } from "../../src/providers/upstream-error.ts";
import { eachEvent, listsOf } from "./chat-provider.ts";

export const encoder = {
  embed: (text: string) => Float32Array.of(0.6, 0.8, 0, text.length > 0 ? 0 : 1),
};
export const sandbox = createSandbox({
  clock: { now: () => 0 },
  encoder,
  firstByteMs: 20,
  scoreTexts: () => Promise.resolve([]),
});

export const context = (over: Partial<CallContext> = {}): CallContext => ({
  signal: new AbortController().signal,
  remainingMs: 60_000,
  requestId: "req",
  attempt: 1,
  ...over,
});
export const user = (content: string, request: Partial<ChatRequest> = {}, before: ChatMessage[] = []): ChatRequest => ({
  messages: [...before, { role: "user", content }],
  ...request,
});
export const chat = (request: ChatRequest, over: Partial<CallContext> = {}) => sandbox.chat!("gpt-4o", request, context(over));
export const answer = async (content: string, request: Partial<ChatRequest> = {}, before: ChatMessage[] = []): Promise<string> =>
  (await chat(user(content, request, before))).text;
export const stream = async (request: ChatRequest, over: Partial<CallContext> = {}): Promise<ChatEvent[]> =>
  Array.fromAsync(eachEvent(listsOf((take) => sandbox.streamChat!("gpt-4o", request, context(over), take))));
export const textOf = (events: ChatEvent[]): string =>
  events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
export const failure = async (promise: Promise<unknown>): Promise<UpstreamError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
};
