/** Gemini as its tests ask it: what a stub answers, through the dialect, and what the dialect would send. */

import type { ModelQuirks } from "../../../src/catalog/model.ts";
import { buildGoogleRequest } from "../../../src/providers/google/build-request.ts";
import type { ChatMessage, ChatRequest } from "../../../src/providers/provider.ts";
import { askFor, asSent, collect, contextWith, listsOf, providerFor } from "../../support/chat-provider.ts";
import { json, sse, type UpstreamStub } from "../../support/upstream-stub.ts";

export const frame = (parts: object[], more: object = {}) => ({ candidates: [{ content: { role: "model", parts }, ...more }] });
export const end = frame([{ text: "" }], { finishReason: "STOP" });
export const calls = (all: { toolCalls: { name: string; arguments: string }[] }) =>
  all.toolCalls.map(({ name, arguments: args }) => [name, args]);

export const build = (request: Partial<ChatRequest>, quirks: ModelQuirks = {}): any =>
  asSent(buildGoogleRequest("m", { messages: [{ role: "user", content: "hi" }], ...request }, { stream: false, quirks }));
export const contents = (messages: ChatMessage[], quirks: ModelQuirks = {}): any[] => build({ messages }, quirks).contents;

/** Answers made of what the stub sends. */
export const answersOf = (stub: UpstreamStub) => ({
  streamed: (frames: object[]) => {
    stub.answer(sse(frames, { done: false }));
    return collect(listsOf((take) => providerFor("google", stub.url).streamChat!("m", askFor("hi"), contextWith(), take)));
  },
  whole: (body: object) => {
    stub.answer(json(body));
    return providerFor("google", stub.url).chat!("m", askFor("hi"), contextWith());
  },
});
