/** Classifies errors by their wording, for all vendors, where status and code say nothing or something misleading. */

import type { UpstreamErrorKind } from "../upstream-error.ts";

/** What an error may say, and the words for it in lower case. */
const PHRASES = {
  "context too long": [
    "context length",
    "context_length",
    "maximum context",
    "context window",
    "context size",
    "maximum prompt length",
    "exceeded model token limit",
    "prompt token count",
    "`inputs` tokens",
    "`inputs` must have less than",
    "too long and exceeds limit",
    "longer than the maximum model length",
    "maximum allowed length",
    "maximum allowed input length",
    "maximum input length",
    "token length too long",
    "max_model_len",
    "max_seq_len",
    "max message tokens",
    "payload size exceeds",
    "too many tokens",
    "tokens per request",
    "tokens per submitted batch",
    "n_ctx",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input length and `max_tokens` exceed",
    "input token count",
    "range of input length",
    "exceeds the maximum number of tokens",
    "too large for model",
    "reduce the length of the messages",
    "more than max tokens allowed",
    "maximum supported sequence length",
  ],
  "content rejected": [
    "content policy",
    "content_policy",
    "content management policy",
    "content filtering policy",
    "safety system",
    "usage policies",
    "usage guidelines",
    "content exists risk",
    "inappropriate content",
    "may contain sensitive",
    // Mistral answers 403 if one of the account's guardrails blocks a prompt; the key is fine.
    "guardrail",
    "flagged",
    "moderation",
    // MiniMax's, and those of Cloudflare's gateway.
    "new_sensitive",
    "due to security configurations",
    "due to dlp policy",
    // Z.ai's, Alibaba's of pictures, and what Volcengine has as a code.
    "unsafe or sensitive content",
    "green net check",
    "sensitivecontentdetected",
  ],
  "no balance": [
    "credit balance",
    "insufficient balance",
    "balance is insufficient",
    "overdue balance",
    "insufficient credit",
    "insufficient_quota",
    "insufficient quota",
    "not enough balance",
    "billing",
    "spending limit",
    "spending cap",
    "spend limit",
    "out of extra usage",
    "monthly usage limit",
    // One API's and its kin's: too little quota, too little balance.
    "额度不足",
    "余额不足",
    "key limit exceeded",
    "free tier of the model",
    "daily free allocation",
    "any credits",
    "enough credits",
    "api usage limits",
    "good standing",
  ],
  /** xAI refuses a key with status 400, and so does Google. */
  "key refused": ["incorrect api key", "invalid api key", "api key not valid"],
  "model unknown": [
    "not a valid model id",
    "invalid model:",
    "invalid model name",
    "model identifier is invalid",
    "model not exist",
    "model does not exist",
    "model not found",
    "no such model",
    "unknown model",
    "could not find an existing deployment",
    "to use publisher model",
    "access to anthropic models",
    // LM Studio's of a path that it does not have, with status 200.
    "unexpected endpoint or method",
    // Bedrock's for models that it serves under other ids only.
    "on-demand throughput",
    // Bedrock's for models that it serves in another format only.
    "does not support the '/v1/",
    // Azure's, where it is a model for something else.
    "does not work with the specified model",
  ],
  /** The schemas of strict tools and of the answer are one grammar, whose size is bounded in several ways (the last is Google's). */
  "grammar too large": [
    "grammar is too large",
    "grammar compilation",
    "schema is too complex",
    "too many optional parameters",
    "too many parameters with union types",
    "too many strict tools",
    "too many states",
  ],
  /** Failures of their own that servers report with status 400 (LM Studio and others). */
  "model broken": [
    "model has crashed",
    "failed to load model",
    "model unloaded",
    "model is unavailable",
    "endpoint is unavailable",
  ],
  /** Those that may as well be the request's: relays' of a vendor behind them, and Novita's for requests that are often fine a minute later. */
  "nothing of the cause": ["failed to get response from provider", "temporary routing error", "invalid request error trace_id"],
  /** Limits that a server reports as a fault of the request (OpenRouter of Alibaba). */
  wait: ["rate increased too quickly", "rate limit exceeded", "rate limit reached"],
  /** OpenAI's, with status 400, where a model has thought until its bound. */
  "bound spent": ["max_tokens or model output limit was reached"],
} satisfies Record<string, readonly string[]>;

/** Whether the message says so. Vendors quote the request behind their own words. */
export const says = (what: keyof typeof PHRASES, message: string): boolean => {
  const text = message.slice(0, 2000).toLowerCase();
  return PHRASES[what].some((phrase) => text.includes(phrase));
};

/** The key may use other models (Bedrock, GitHub, LiteLLM; of elsewhere: OpenCode, OpenRouter; in Chinese: One API's kin). */
const MODEL_CLOSED =
  /\baccess (?:to )?(?:(?:the |this )?model\b|anthropic models\b)|\bmodel\b.{0,60}? not available in your (?:country|region)\b|无权访问模型/i;
/** OpenCode's; where words follow, they are its vendor's refusal. */
const NO_WORDS_FOLLOW = /\bupstream request failed\W{0,3}$/i;

/** Sent with a status that blames the request (Anthropic, Qwen: 400, Fireworks: 412). */
const CLOSED_ACCOUNT = /\b(?:account|organization)\b.{0,60}\b(?:suspended|disabled|deactivated|in good standing)/i;

/** All that may speak of account, model or server in an error whose status blames the request. */
const FAULTS: readonly RegExp[] = [
  ...(["no balance", "key refused", "model unknown", "model broken", "wait"] as const).flatMap((what) =>
    PHRASES[what].map((phrase) => new RegExp(RegExp.escape(phrase), "iu")),
  ),
  CLOSED_ACCOUNT,
  MODEL_CLOSED,
  NO_WORDS_FOLLOW,
];

/** What a message says of these, as it is written there. */
export const faultWords = (message: string): string[] => FAULTS.flatMap((words) => words.exec(message)?.[0] ?? []);

/** An account that is closed for unpaid bills is a billing failure. */
export const kindOfClosedAccount = (message: string): "auth" | "billing" | undefined =>
  CLOSED_ACCOUNT.test(message.slice(0, 500)) ? (says("no balance", message) ? "billing" : "auth") : undefined;

/** A status of 401 or 403 need not blame the key. */
export const kindOfDenial = (status: number, message: string): UpstreamErrorKind | undefined => {
  if (status !== 401 && status !== 403) return undefined;
  if (MODEL_CLOSED.test(message.slice(0, 500))) return "model_gone";
  if (status === 401) return undefined;
  if (says("content rejected", message)) return "content_filter";
  // Together's status for a prompt that is too long.
  if (says("context too long", message)) return "context_length";
  return says("no balance", message) ? "billing" : undefined;
};

/** What servers report as a failure of their own: llama.cpp a full context, MiniMax a spent balance. */
export const kindOfOwnFailure = (message: string): UpstreamErrorKind | undefined => {
  if (says("context too long", message)) return "context_length";
  return /insufficient balance/i.test(message.slice(0, 2000)) ? "billing" : undefined;
};

/** A failure of which nobody can tell whether the request has caused it. */
export const saysNothingOfCause = (message: string): boolean =>
  says("nothing of the cause", message) || NO_WORDS_FOLLOW.test(message.slice(0, 500));
