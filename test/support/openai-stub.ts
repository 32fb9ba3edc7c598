/** OpenAI's dialect pointed at a stub: the frames of its streams, what comes of them, and the requests it builds. */

import type { ModelQuirks } from "../../src/catalog/model.ts";
import { buildOpenAiRequest } from "../../src/providers/openai/build-request.ts";
import type { ChatRequest, ChatResult } from "../../src/providers/provider.ts";
import { askFor, asSent, type Collected, collect, contextWith, listsOf, providerFor } from "./chat-provider.ts";
import { json, type SseStyle, sse, type UpstreamStub, upstreamStubOfFile } from "./upstream-stub.ts";

type OpenAiStub = {
  stub: UpstreamStub;
  /** What is made of a stream of these frames. */
  streamed(frames: (object | string)[], style?: SseStyle): Promise<Collected>;
  /** What is made of this body. */
  whole(body: object): Promise<ChatResult>;
};

/** For the tests of the file that calls it. */
export const stubOpenAi = (): OpenAiStub => {
  const stub = upstreamStubOfFile();
  return {
    stub,
    streamed: (frames, style = {}) => {
      stub.answer(sse(frames, style));
      return collect(listsOf((take) => providerFor("openai", stub.url).streamChat!("m", askFor("hi"), contextWith(), take)));
    },
    whole: (body) => {
      stub.answer(json(body));
      return providerFor("openai", stub.url).chat!("m", askFor("hi"), contextWith());
    },
  };
};

export const delta = (value: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: value, finish_reason: finish }],
});
export const tool = (value: object) => delta({ tool_calls: [value] });
export const end = (reason = "stop") => delta({}, reason);
/** Name and arguments of each. */
export const calls = (all: { toolCalls: { name: string; arguments: string }[] }) =>
  all.toolCalls.map(({ name, arguments: args }) => [name, args]);
export const build = (request: Partial<ChatRequest>, quirks: ModelQuirks = {}, stream = false): any =>
  asSent(buildOpenAiRequest("m", { messages: [{ role: "user", content: "hi" }], ...request }, { stream, quirks }));
