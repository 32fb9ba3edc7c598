/** One whole sandbox answer: text or tool calls, cut as the request and its triggers say, with the tokens that it would cost. */

import { estimateTokens } from "../../../lib/estimate-tokens.ts";
import { lastUpTo } from "../../../lib/last-up-to.ts";
import { trimEnds } from "../../../lib/trim-ends.ts";
import type { ChatRequest, ChatResult, FinishReason, ToolCall } from "../../provider.ts";
import type { Faults } from "../read-faults.ts";
import { answerJson } from "./answer-json.ts";
import { callTools } from "./call-tools.ts";
import { judgeText } from "./judge-text.ts";
import { type Ask, tokensOfCalls } from "./read-ask.ts";
import { writeAnswer } from "./write-answer.ts";

const REFUSAL = "I'm sorry, but I can't help with that request.";
/** Can be repaired only to an object that no request asks for, so that schemas with repair see a failure too. */
const BAD_JSON = '{"sandbox": "broken" "values": [1, 2,, "open';

/** The same for the same model and request. */
export function composeAnswer(model: string, request: ChatRequest, ask: Ask): ChatResult {
  const { faults } = ask;
  const seed = `${model}\n${request.messages.length}\n${ask.prompt}`;
  const scripted = scriptedText(faults);
  const toolCalls = scripted === undefined ? callTools(request, ask, seed) : [];
  const reasoning = scripted === undefined ? thought(request, ask) : undefined;
  const written = scripted ?? (toolCalls.length > 0 ? "" : answerText(model, request, ask));
  const text = faults.has("truncate")
    ? trimEnds(written.slice(0, Math.ceil(written.length / 2)), { trailing: /[.!?\s]/ })
    : written;
  const room = Math.max(0, (request.maxOutputTokens ?? Number.POSITIVE_INFINITY) - estimateTokens(reasoning ?? ""));
  const stop = toolCalls.length > 0 ? undefined : firstStop(text, request.stop ?? []);
  const answer = withinBounds(text.slice(0, stop?.at), toolCalls, room);
  const finishReason: FinishReason = faults.has("truncate") ? "length" : answer.finishReason;
  return {
    text: answer.text,
    ...(reasoning && { reasoning }),
    toolCalls: answer.toolCalls,
    finishReason,
    ...(stop && finishReason === "stop" && { stopSequence: stop.sequence }),
    usage: {
      input: ask.promptTokens,
      cacheRead: 0,
      cacheWrite: 0,
      output: estimateTokens(answer.text) + tokensOfCalls(answer.toolCalls),
      reasoning: estimateTokens(reasoning ?? ""),
    },
    usageSource: "provider",
  };
}

function scriptedText(faults: Faults): string | undefined {
  const reply = faults.get("reply") ?? faults.get("empty");
  if (reply !== undefined) return reply;
  if (faults.has("refuse")) return REFUSAL;
  return faults.has("bad-json") ? BAD_JSON : undefined;
}

function answerText(model: string, request: ChatRequest, ask: Ask): string {
  if (request.outputFormat?.type === "schema") return answerJson(request, ask, "");
  const verdicts = judgeText(ask.prompt);
  if (verdicts !== undefined) return verdicts;
  const spoken = writeAnswer(model, ask);
  const wantsData = ask.schema !== undefined || (ask.wantsJson && ask.task !== "code");
  return request.outputFormat || wantsData ? answerJson(request, ask, spoken) : spoken;
}

const thought = (request: ChatRequest, ask: Ask): string | undefined =>
  request.reasoningEffort === undefined || request.reasoningEffort === "none"
    ? undefined
    : `The request asks for ${ask.task === "chat" ? "an answer" : ask.task}; the words to work from are its own.`;

/** The earliest stop sequence in the text, before which the answer ends. */
function firstStop(text: string, stops: readonly string[]): { at: number; sequence: string } | undefined {
  return stops
    .filter(Boolean)
    .map((sequence) => ({ at: text.indexOf(sequence), sequence }))
    .filter(({ at }) => at !== -1)
    .sort((left, right) => left.at - right.at)[0];
}

type Answer = { text: string; toolCalls: ToolCall[]; finishReason: FinishReason };

function withinBounds(text: string, toolCalls: ToolCall[], maxTokens: number): Answer {
  // Arguments cut in the middle would not be JSON, so calls that do not fit are left out.
  const fits = tokensOfCalls(toolCalls) <= maxTokens;
  if (toolCalls.length > 0) return { text: "", toolCalls: fits ? toolCalls : [], finishReason: fits ? "tool_calls" : "length" };
  if (estimateTokens(text) <= maxTokens) return { text, toolCalls, finishReason: "stop" };
  return { text: firstTokens(text, maxTokens), toolCalls, finishReason: "length" };
}

/** The longest beginning of the text that has at most `maxTokens` tokens. */
function firstTokens(text: string, maxTokens: number): string {
  const lengths = [...Array(text.length).keys()];
  const length = lastUpTo(lengths, maxTokens, (end) => estimateTokens(text.slice(0, end)));
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
