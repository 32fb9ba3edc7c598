/** A chat answer as OpenAI's `text_completion`, whole and in chunks. */

import { errorFrame } from "../../chat/response/encode-stream.ts";
import type { StreamEncoder, StreamFacts } from "../../chat/response/outlet.ts";
import { toWireUsage } from "../../chat/response/shape-completion.ts";
import type { Answer } from "../../chat/response/whole-answer.ts";
import { callIdAs } from "../../lib/ids.ts";
import type { FinishReason } from "../../providers/provider.ts";
import type { TextCompletion } from "./wire.ts";

const headOf = ({ requestId, createdAtMs }: Pick<Answer, "requestId" | "createdAtMs">) => ({
  id: callIdAs("cmpl-", requestId),
  object: "text_completion" as const,
  created: Math.floor(createdAtMs / 1000),
});

/** No tools are offered, so no answer ends with a call. */
const finishOf = (reason: FinishReason) => (reason === "tool_calls" ? "stop" : reason);

export const toTextCompletion = (answer: Answer): TextCompletion => ({
  ...headOf(answer),
  model: answer.model,
  choices: [{ text: answer.result.text, index: 0, logprobs: null, finish_reason: finishOf(answer.result.finishReason) }],
  usage: toWireUsage(answer.result.usage),
  svc: answer.svc,
});

export const createTextEncoder = (stream: StreamFacts, includeUsage: boolean): StreamEncoder => {
  const head = headOf(stream);
  const frame = (rest: object): string => `data: ${JSON.stringify({ ...head, model: stream.model(), ...rest })}\n\n`;
  const choices = (text: string, finish: FinishReason | null) => [
    { text, index: 0, logprobs: null, finish_reason: finish && finishOf(finish) },
  ];
  return {
    part: (part) => {
      if (part.type === "text") return frame({ choices: choices(part.text, null) });
      if (part.type !== "final") return "";
      const last = frame({ choices: choices("", part.result.finishReason), svc: part.svc });
      const usage = includeUsage ? frame({ choices: [], usage: toWireUsage(part.result.usage) }) : "";
      return `${last}${usage}data: [DONE]\n\n`;
    },
    failure: (error) => errorFrame(error, stream.requestId, true),
  };
};
