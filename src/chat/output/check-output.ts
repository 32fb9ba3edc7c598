/**
 * Checks an answer (rule 3): format, refusal, disclaimers, completeness. Each check scores 0 to 1; together they make
 * `output_quality_score`.
 */

import type { TaskType } from "../../catalog/task-type.ts";
import type { Encoder } from "../../encoder/encoder.ts";
import { asksForJson } from "../../lib/asks-for-json.ts";
import { isJson } from "../../lib/is-json.ts";
import type { FailureMode, ValidationChecks } from "../../logs/call.ts";
import type { Platform } from "../../platform.ts";
import { plainText } from "../../providers/dialect/message-parts.ts";
import type { ChatRequest, ChatResult } from "../../providers/provider.ts";
import { detectRefusal } from "../../router/detect-refusal.ts";
import { mayDecline } from "../../router/features/declining.ts";
import { unwrapJson } from "../../schemas/repair/unwrap-json.ts";
import type { CallDraft } from "../call-draft.ts";
import { askedText } from "../request/message-content.ts";
import { lastStep } from "./agent-steps.ts";
import { isCutByCaller, isCutByOthers, isIncomplete, isMoreThanText, isTornJson } from "./is-incomplete.ts";

export type OutputCheck = {
  passed: boolean;
  checks: ValidationChecks;
  /** 0-1: by the `RECIPE` below. */
  score: number;
  failureMode?: FailureMode;
  /** Shown with the attempt in the log. */
  reason?: string;
};

export type CheckInput = {
  request: ChatRequest;
  result: ChatResult;
  task: TaskType;
  /** Last user message, for the refusal check. */
  prompt: string;
  /** Whether a schema was asked for and the answer fits it; undefined without a schema. */
  schemaPassed?: boolean;
};

type Part = { weight: number; failure?: Required<Pick<OutputCheck, "failureMode" | "reason">> };

/** The recipe of the quality score, in percent; an empty answer is 0. Of several failures the first one here is reported. */
const RECIPE: Record<keyof ValidationChecks, Part> = {
  noRefusal: { weight: 35, failure: { failureMode: "refusal", reason: "the answer is a refusal" } },
  completeness: { weight: 20, failure: { failureMode: "incomplete", reason: "the answer is empty or breaks off" } },
  formatValid: {
    weight: 35,
    failure: { failureMode: "format_violation", reason: "the answer is not the JSON that was asked for" },
  },
  noDisclaimer: { weight: 10 },
};
const PARTS = Object.entries(RECIPE) as [keyof ValidationChecks, Part][];

/** `request`: as the model was asked. `schemaPassed`: undefined without a schema. */
export const checkAnswer = (
  { encoder }: Platform,
  { caller, input, classification }: CallDraft,
  request: ChatRequest,
  result: ChatResult,
  schemaPassed?: boolean,
): OutputCheck => {
  const prompt = askedText(caller.mode, input.request.messages);
  const task = classification.task;
  return checkOutput(encoder, { request, result, task, prompt, ...(schemaPassed !== undefined && { schemaPassed }) });
};

export const checkOutput = (encoder: Encoder, input: CheckInput): OutputCheck => {
  const { result, request } = input;
  const isMore = isMoreThanText(result);
  const formatValid = isMore ? haveArguments(result, request) : hasRightForm(input) || endsInRightForm(input);
  const refused = !isMore && (isDeclined(result) || isRefusal(encoder, result.text, input.prompt));
  const disclaimed = !isMore && opensWithDisclaimer(result.text);
  const incomplete = isMore
    ? isCutByOthers(result, request)
    : isIncomplete(result, request) || (formatValid && isTornJson(result.text));
  const isNothing = !isMore && incomplete && result.text.trim() === "" && result.refusal === undefined;
  const checks: ValidationChecks = { formatValid, noRefusal: !refused, noDisclaimer: !disclaimed, completeness: !incomplete };
  const failed = PARTS.flatMap(([check, part]) => (checks[check] ? [] : [part]));
  const failure = failed.find((part) => part.failure)?.failure;
  const lost = failed.reduce((sum, { weight }) => sum + weight, 0);
  return {
    passed: failure === undefined,
    checks,
    // An empty answer scores lower than a refusal, which at least tells the reader something.
    score: isNothing ? 0 : (100 - lost) / 100,
    ...failure,
  };
};

/** Some models continue an answer that the conversation ends with; then the two are read together. */
const endsInRightForm = (input: CheckInput): boolean => {
  const begun = input.request.messages.at(-1);
  if (begun?.role !== "assistant") return false;
  return hasRightForm({ ...input, result: { ...input.result, text: plainText(begun.content) + input.result.text } });
};

/** The provider itself reports that the model or its filter declined. */
const isDeclined = ({ refusal, finishReason }: ChatResult): boolean => refusal !== undefined || finishReason === "content_filter";

/** Refusals say so early. A long answer that begins without any declining word skips the classifier; that is the usual case. */
const READ_WHOLE_CHARACTERS = 600;
/** Looking for declining words of 35 languages is slower, so only this much of a long answer is searched. */
const READ_FOREIGN_CHARACTERS = 300;
const REFUSING_WORDS = (
  "sorry|apolog|can't|can’t|cannot|can not|unable|won't|won’t|refus|declin|against my|not able|not comfortable|not appropriate|" +
  "inappropriate|as an ai|just an ai|illegal|unethical|harmful|discriminat|condemn|acceptable|important to note|" +
  "important to remember|important to treat|important to respect|i must|i don't|i don’t|not accurate"
).split("|");

const isRefusal = (encoder: Encoder, text: string, prompt: string): boolean =>
  (text.length <= READ_WHOLE_CHARACTERS || holdsRefusingWord(text.slice(0, READ_WHOLE_CHARACTERS).toLowerCase())) &&
  detectRefusal(encoder, text, prompt);

const holdsRefusingWord = (opening: string): boolean =>
  REFUSING_WORDS.some((word) => opening.includes(word)) || mayDecline(opening.slice(0, READ_FOREIGN_CHARACTERS));

/** A text that begins like this was meant to be JSON. */
const OPENS_AS_JSON = /^\s*(?:```json|\{\s*["}]|\[\s*[[{"\]])/;

/** A tool call with incomplete arguments is useless; if the caller's own output bound cut it, `finish_reason` says so. */
const haveArguments = (result: ChatResult, request: ChatRequest): boolean =>
  result.toolCalls.every(({ arguments: given }) => isJson(given)) || isCutByCaller(result, request);

/**
 * JSON is checked if the caller asked for it (then the whole answer must be JSON), and for extraction and classification if the prompt asked
 * for it in words or the answer begins as JSON (then a fenced block within prose will do, or JSON lines where they were asked for). What an
 * agent's prompt asks for is the last of its steps.
 */
const hasRightForm = ({ request, result, task, prompt, schemaPassed }: CheckInput): boolean => {
  if (schemaPassed !== undefined) return schemaPassed;
  if (request.outputFormat !== undefined) return isJson(result.text);
  if (task !== "extraction" && task !== "classification") return true;
  const asked = [prompt.slice(0, 4_000), prompt.slice(4_000).slice(-1_000)];
  if (!OPENS_AS_JSON.test(result.text) && !asked.some(asksForJson)) return true;
  if (unwrapJson(result.text) !== undefined) return true;
  const step = lastStep(result.text, request);
  if (step !== undefined) return !step.isAnswer || unwrapJson(step.text) !== undefined;
  return asked.some((text) => ASKS_FOR_LINES.test(text)) && areJsonLines(result.text);
};

const ASKS_FOR_LINES = /\b(?:jsonl|ndjson|json[ -]lines?|(?:per|each|own|separate|single) line|newline[- ]delimited)\b/i;
const areJsonLines = (text: string): boolean =>
  text.split("\n").every((line) => /^\s*(?:```\w*\s*)?$/.test(line) || (/^\s*[{[]/.test(line) && isJson(line)));

const DISCLAIMERS = [
  /^(?:\W{0,3})as an? (?:ai|artificial intelligence|large language model|language model)\b/i,
  /^(?:\W{0,3})i(?:'|’)?m (?:just )?an? (?:ai|language model)\b/i,
  /^(?:\W{0,3})(?:please note|note|disclaimer)[:,]? (?:that )?i(?:'m| am| ’m) (?:not a |an ai)/i,
];

const opensWithDisclaimer = (text: string): boolean => {
  const head = text.slice(0, 200);
  return DISCLAIMERS.some((pattern) => pattern.test(head));
};
