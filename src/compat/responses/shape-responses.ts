/** Shapes whole answers as OpenAI's Responses. */

import type { FinalPart } from "../../chat/response/outlet.ts";
import type { Answer } from "../../chat/response/whole-answer.ts";
import { callIdAs } from "../../lib/ids.ts";
import { completionTokens, type FinishReason, promptTokens, type TokenUsage } from "../../providers/provider.ts";
import { asksToCompact, type CompactionItem, compactionItems } from "./compaction.ts";
import { nameReader } from "./declared-tools.ts";
import { callItem, contentOf, type Item, messageItem, pictureItem, reasoningItem, summaryPart } from "./items.ts";
import type { ResponsesBody } from "./wire.ts";

/** The fields of a response in any state. The request is echoed, with OpenAI's defaults, because types of SDKs and validators require it. */
export const responseOf = (
  about: { requestId: string; createdAtMs: number },
  body: ResponsesBody,
  more: { model: string; output: (Item | CompactionItem)[] },
) => ({
  id: callIdAs("resp_", about.requestId),
  object: "response" as const,
  created_at: Math.floor(about.createdAtMs / 1000),
  completed_at: null as number | null,
  status: "in_progress" as string,
  background: false,
  error: null as { code: string; message: string } | null,
  frequency_penalty: 0,
  incomplete_details: null as { reason: string } | null,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  max_tool_calls: null,
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  presence_penalty: 0,
  previous_response_id: body.previous_response_id ?? null,
  prompt_cache_key: body.prompt_cache_key ?? null,
  reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
  service_tier: "default",
  store: body.store ?? true,
  temperature: body.temperature ?? 1,
  text: { format: body.text?.format ?? { type: "text" }, verbosity: body.text?.verbosity ?? "medium" },
  tool_choice: body.tool_choice ?? "auto",
  tools: body.tools ?? [],
  top_logprobs: 0,
  top_p: body.top_p ?? 1,
  truncation: "disabled",
  user: body.user ?? null,
  metadata: body.metadata ?? {},
  usage: null as ReturnType<typeof toUsage> | null,
  ...more,
});

const toUsage = (usage: TokenUsage) => ({
  input_tokens: promptTokens(usage),
  input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
  output_tokens: completionTokens(usage),
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: promptTokens(usage) + completionTokens(usage),
});

const INCOMPLETE: Partial<Record<FinishReason, string>> = { length: "max_output_tokens", content_filter: "content_filter" };

export const statusOf = (finishReason: FinishReason) => (INCOMPLETE[finishReason] === undefined ? "completed" : "incomplete");

/** The end of a successful response. */
export const ending = ({ result: { finishReason, usage }, svc }: Pick<FinalPart, "result" | "svc">, createdAtMs: number) => {
  const reason = INCOMPLETE[finishReason];
  return {
    status: statusOf(finishReason),
    completed_at: reason === undefined ? Math.floor((createdAtMs + svc.latency_ms) / 1000) : null,
    incomplete_details: reason === undefined ? null : { reason },
    usage: toUsage(usage),
    svc,
  };
};

export const toResponse = (answer: Answer, body: ResponsesBody) => ({
  ...responseOf(answer, body, { model: answer.model, output: outputOf(answer, body) }),
  ...ending(answer, answer.createdAtMs),
});

/** As `/v1/responses/compact` answers. */
export const toCompaction = (answer: Answer) => ({
  id: callIdAs("resp_", answer.requestId),
  object: "response.compaction" as const,
  created_at: Math.floor(answer.createdAtMs / 1000),
  output: summaryOf(answer),
  usage: toUsage(answer.result.usage),
  svc: answer.svc,
});

const summaryOf = ({ requestId, result: { text, finishReason, refusal } }: Answer): CompactionItem[] =>
  compactionItems(requestId, text, statusOf(finishReason), refusal);

const outputOf = (answer: Answer, body: ResponsesBody): (Item | CompactionItem)[] => {
  if (asksToCompact(body)) return summaryOf(answer);
  const { result, requestId } = answer;
  const readName = nameReader(body);
  // Only the last item can be incomplete.
  const last = result.toolCalls.length - 1;
  const statusAt = (index: number) => (index === last ? statusOf(result.finishReason) : "completed");
  const message = messageItem(requestId, 0, statusAt(-1), [contentOf(result.text, result.refusal, result.citations)]);
  const calls = result.toolCalls.map((call, index) =>
    callItem(requestId, index, statusAt(index), { ...call, ...readName(call.name) }),
  );
  const pictures = (result.pictures ?? []).map((url, index) => pictureItem(requestId, index, "completed", url));
  const more = [...pictures, ...calls];
  // An answer of nothing at all is a message, too.
  const said = result.text !== "" || (more.length === 0 && !result.reasoning) ? [message, ...more] : more;
  if (!result.reasoning) return said;
  const status = said.length > 0 ? "completed" : statusOf(result.finishReason);
  return [reasoningItem(requestId, 0, status, [summaryPart(result.reasoning)]), ...said];
};
