/**
 * What an answer is worth before anyone reads it (rule 3): its form, refusals, disclaimers, completeness. Each check is 0 or 1 or
 * between; together they make `output_quality_score`.
 */

import type { TaskType } from "../../catalog/task-type.ts";
import type { Encoder } from "../../encoder/encoder.ts";
import { asksForJson } from "../../lib/asks-for-json.ts";
import { isJson } from "../../lib/is-json.ts";
import type { FailureMode, ValidationChecks } from "../../logs/call.ts";
import type { ChatRequest, ChatResult } from "../../providers/provider.ts";
import { detectRefusal } from "../../router/detect-refusal.ts";
import { mayDecline } from "../../router/features/declining.ts";
import { unwrapJson } from "../../schemas/repair/unwrap-json.ts";
import { isCutByCaller, isCutByOthers, isIncomplete, isTornJson } from "./is-incomplete.ts";

export type OutputCheck = {
  passed: boolean;
  checks: ValidationChecks;
  /** 0-1: `WEIGHTS` below, over the parts that apply. */
  score: number;
  failureMode?: FailureMode;
  /** Said in the log of the attempt. */
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

/** The recipe of the quality score: format 35 %, no refusal 35 %, completeness 20 %, no disclaimer 10 %; an empty answer is 0. */
const WEIGHTS = { format: 0.35, refusal: 0.35, completeness: 0.2, disclaimer: 0.1 };

export const checkOutput = (encoder: Encoder, input: CheckInput): OutputCheck => {
  const { result, request } = input;
  const isToolAnswer = result.toolCalls.length > 0;
  const formatValid = isToolAnswer ? haveArguments(result, request) : hasRightForm(input);
  const refused = !isToolAnswer && (isDeclined(result) || isRefusal(encoder, result.text, input.prompt));
  const disclaimed = !isToolAnswer && opensWithDisclaimer(result.text);
  const incomplete = isToolAnswer
    ? isCutByOthers(result, request)
    : isIncomplete(result, request) || (formatValid && isTornJson(result.text));
  const isNothing = !isToolAnswer && incomplete && result.text.trim() === "" && result.refusal === undefined;
  const checks: ValidationChecks = { formatValid, noRefusal: !refused, noDisclaimer: !disclaimed, completeness: !incomplete };
  const score =
    WEIGHTS.format * Number(formatValid) +
    WEIGHTS.refusal * Number(!refused) +
    WEIGHTS.completeness * Number(!incomplete) +
    WEIGHTS.disclaimer * Number(!disclaimed);
  const failureMode: FailureMode | undefined = refused
    ? "refusal"
    : incomplete
      ? "incomplete"
      : !formatValid
        ? "format_violation"
        : undefined;
  return {
    passed: failureMode === undefined,
    checks,
    // There is nothing in it that could be good: a refusal tells its reader more.
    score: isNothing ? 0 : Math.round(score * 100) / 100,
    ...(failureMode !== undefined && { failureMode, reason: REASONS[failureMode] }),
  };
};

/** The provider itself says that its model, or its filter, would not go on. */
const isDeclined = ({ refusal, finishReason }: ChatResult): boolean => refusal !== undefined || finishReason === "content_filter";

/** A refusal says so early. A long answer that begins without any such word is not read by the learned head: most answers are that. */
const READ_WHOLE_CHARACTERS = 600;
/** To look for how one declines in 35 languages takes longer, so only where a long answer begins. */
const READ_FOREIGN_CHARACTERS = 300;
const REFUSING_WORDS = [
  ...["sorry", "apolog", "can't", "can’t", "cannot", "can not", "unable", "won't", "won’t", "refus", "declin", "against my"],
  ...[
    "not able",
    "not comfortable",
    "not appropriate",
    "inappropriate",
    "as an ai",
    "just an ai",
    "illegal",
    "unethical",
    "harmful",
  ],
  ...["discriminat", "condemn", "acceptable", "important to note", "important to remember", "important to treat"],
  ...["important to respect", "i must", "i don't", "i don’t", "not accurate"],
];

const isRefusal = (encoder: Encoder, text: string, prompt: string): boolean =>
  (text.length <= READ_WHOLE_CHARACTERS || holdsRefusingWord(text.slice(0, READ_WHOLE_CHARACTERS).toLowerCase())) &&
  detectRefusal(encoder, text, prompt).refusal;

const holdsRefusingWord = (opening: string): boolean =>
  REFUSING_WORDS.some((word) => opening.includes(word)) || mayDecline(opening.slice(0, READ_FOREIGN_CHARACTERS));

const REASONS: Partial<Record<FailureMode, string>> = {
  refusal: "the answer is a refusal",
  incomplete: "the answer is empty or breaks off",
  format_violation: "the answer is not the JSON that was asked for",
};

/** What begins like this was meant to be JSON. */
const OPENS_AS_JSON = /^\s*(?:```json|\{\s*["}]|\[\s*[[{"\]])/;

/** Nobody can call a tool with half an object; where the caller's own bound cut it, that is said by the answer's end. */
const haveArguments = (result: ChatResult, request: ChatRequest): boolean =>
  result.toolCalls.every(({ arguments: given }) => isJson(given)) || isCutByCaller(result, request);

/** JSON is checked where the caller asked for it, and where extraction or classification asked for it in words or was answered in it. */
const hasRightForm = ({ request, result, task, prompt, schemaPassed }: CheckInput): boolean => {
  if (schemaPassed !== undefined) return schemaPassed;
  const wantsJson =
    request.outputFormat !== undefined ||
    ((task === "extraction" || task === "classification") &&
      (OPENS_AS_JSON.test(result.text) || asksForJson(prompt.slice(0, 4_000)) || asksForJson(prompt.slice(4_000).slice(-1_000))));
  return !wantsJson || holdsJson(result.text, request.outputFormat !== undefined);
};

/** `strictly`: the whole answer must be JSON; else a fenced block within prose will do. */
const holdsJson = (text: string, strictly: boolean): boolean => (strictly ? isJson(text) : unwrapJson(text) !== undefined);

const DISCLAIMERS = [
  /^(?:\W{0,3})as an? (?:ai|artificial intelligence|large language model|language model)\b/i,
  /^(?:\W{0,3})i(?:'|’)?m (?:just )?an? (?:ai|language model)\b/i,
  /^(?:\W{0,3})(?:please note|note|disclaimer)[:,]? (?:that )?i(?:'m| am| ’m) (?:not a |an ai)/i,
];

const opensWithDisclaimer = (text: string): boolean => {
  const head = text.slice(0, 200);
  return DISCLAIMERS.some((pattern) => pattern.test(head));
};
