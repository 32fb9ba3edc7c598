/** Anthropic's dialect pointed at a stub: the frames of its streams, what comes of them, and the requests it builds. */

import type { ModelQuirks } from "../../src/catalog/model.ts";
import { buildAnthropicRequest } from "../../src/providers/anthropic/build-request.ts";
import type { ChatRequest } from "../../src/providers/provider.ts";
import { askFor, asSent, type Collected, collect, contextWith, listsOf, providerFor } from "./chat-provider.ts";
import { sse, type UpstreamStub, upstreamStubOfFile } from "./upstream-stub.ts";

type AnthropicStub = {
  stub: UpstreamStub;
  /** What is made of a stream of these frames. */
  streamed(frames: object[], request?: Partial<ChatRequest>, quirks?: ModelQuirks): Promise<Collected>;
};

/** For the tests of the file that calls it. */
export const stubAnthropic = (): AnthropicStub => {
  const stub = upstreamStubOfFile();
  return {
    stub,
    streamed: (frames, request = {}, quirks = {}) => {
      stub.answer(sse(frames, { eventNames: true, done: false }));
      return collect(
        listsOf((take) =>
          providerFor("anthropic", stub.url, {}, quirks).streamChat!("m", { ...askFor("hi"), ...request }, contextWith(), take),
        ),
      );
    },
  };
};

export const start = (usage: object = { input_tokens: 10, output_tokens: 1 }, more: object = {}) => ({
  type: "message_start",
  message: { id: "msg", content: [], usage, ...more },
});
export const block = (index: number, content: object) => ({ type: "content_block_start", index, content_block: content });
export const delta = (index: number, value: object) => ({ type: "content_block_delta", index, delta: value });
export const stop = (index: number) => ({ type: "content_block_stop", index });
export const finish = (reason: string, usage: object = { output_tokens: 5 }) => ({
  type: "message_delta",
  delta: { stop_reason: reason },
  usage,
});
export const over = { type: "message_stop" };
export const build = (request: Partial<ChatRequest>, quirks: ModelQuirks = {}): any =>
  asSent(buildAnthropicRequest("m", { messages: [{ role: "user", content: "hi" }], ...request }, { stream: false, quirks }));
