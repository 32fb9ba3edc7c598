/** What kind of failure an error of OpenAI's, or of a vendor that copied it, is. */

import { expect, test } from "bun:test";
import { mapOpenAiError } from "../../../src/providers/openai/map-error.ts";

const kinds: [string, number, unknown, string][] = [
  ["quota", 429, { error: { code: "insufficient_quota", message: "You exceeded your current quota" } }, "billing"],
  ...["credit_balance_exhausted", "organization_spend_limit_exceeded", "project_spend_limit_exceeded"].map(
    (code): [string, number, unknown, string] => [code, 429, { error: { code, type: "limit", message: "No more." } }, "billing"],
  ),
  [
    "beyond what a minute may hold",
    429,
    {
      error: {
        code: "rate_limit_exceeded",
        type: "tokens",
        message: "Request too large for m on tokens per min (TPM): Limit 30000, Requested 35364.",
      },
    },
    "context_length",
  ],
  ["a generation that failed", 424, { error: "Request failed during generation", error_type: "generation" }, "server"],
  ["too early", 425, {}, "server"],
  ["a call that a proxy gave up", 499, "", "server"],
  ["overload by its status", 503, { error: { type: "server_error", code: null, message: "Try again later" } }, "overloaded"],
  ["rate", 429, { error: { code: "rate_limit_exceeded", message: "Rate limit reached" } }, "rate_limit"],
  ["context", 400, { error: { code: "context_length_exceeded", message: "too long" } }, "context_length"],
  [
    "context by text",
    400,
    { error: { message: "This model's maximum context length is 8192 tokens", code: null } },
    "context_length",
  ],
  [
    "context by status 403",
    403,
    { error: { message: "Input tokens and max_tokens must fit the context length" } },
    "context_length",
  ],
  ["policy", 400, { error: { code: "content_policy_violation", message: "rejected" } }, "content_filter"],
  ["policy by status 403", 403, { error: { code: 403, message: "Your input was flagged by moderation" } }, "content_filter"],
  ["a closed account (Groq)", 400, { error: { code: "organization_restricted", type: "invalid_request_error" } }, "auth"],
  ["an account that is suspended", 412, { error: { message: "Account a is suspended: spending limit reached." } }, "billing"],
  ["an account that owes", 400, { error: { message: "Is your account in good standing?", code: "Owes" } }, "billing"],
  ["context as a range", 400, { error: { message: "Range of input length should be [1, 9]" } }, "context_length"],
  ["a stream's rate limit", 0, { error: { type: "rate_limit_error", message: "no" } }, "rate_limit"],
  ["a stream's status as text", 0, { error: { code: "429", message: "no" } }, "rate_limit"],
  ["a stream's overload", 0, { error: { code: "server_is_overloaded", message: "no" } }, "overloaded"],
  ["Z.ai's spent plan", 429, { error: { code: "1308", message: "Limit reached" } }, "billing"],
  ["key", 401, { error: { code: "invalid_api_key", message: "no" } }, "auth"],
  ["model", 404, { error: { code: "model_not_found", message: "no such model" } }, "model_gone"],
  ["balance (DeepSeek)", 402, { error: { message: "Insufficient Balance" } }, "billing"],
  [
    "Mistral's extra field",
    422,
    { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] },
    "unsupported_param",
  ],
  [
    "xAI's string",
    400,
    { code: "Client specified an invalid argument", error: "Argument not supported on this model: presencePenalty" },
    "unsupported_param",
  ],
  [
    "Anthropic's balance behind LiteLLM",
    400,
    { error: { message: "litellm.BadRequestError: AnthropicException - Your credit balance is too low to access the API." } },
    "model_gone",
  ],
  ["Anthropic's balance", 400, { error: { message: "Your credit balance is too low to access the API." } }, "billing"],
  [
    "a vendor's key behind LiteLLM",
    401,
    {
      error: {
        message: 'litellm.AuthenticationError: AnthropicException - {"error":{"message":"invalid x-api-key"}}',
        code: "401",
      },
    },
    "model_gone",
  ],
  [
    "a vendor's key behind OpenRouter",
    401,
    { error: { code: 401, message: "Provider returned error", metadata: { raw: "Invalid API key", provider_name: "Vendor" } } },
    "model_gone",
  ],
  [
    "Google's rate limit behind OpenRouter",
    429,
    {
      error: {
        code: 429,
        message: "Provider returned error",
        metadata: {
          raw: '{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}',
        },
      },
    },
    "rate_limit",
  ],
  ["LiteLLM's own key", 401, { error: { message: "Authentication Error, Invalid proxy server token passed" } }, "auth"],
  ["xAI's shorter one", 400, { code: "400", error: "Argument not supported: include" }, "unsupported_param"],
  [
    "unprocessable",
    422,
    { object: "error", message: { detail: [{ type: "missing", loc: ["body", "messages"] }] } },
    "bad_request",
  ],
  ["bad", 400, { error: { message: "messages must not be empty", type: "invalid_request_error" } }, "bad_request"],
  [
    "an image inside a message",
    400,
    { error: { code: "unsupported_value", param: "messages[0].content", message: "no images" } },
    "bad_request",
  ],
  ["Groq's own model missed the tool", 400, { error: { code: "tool_use_failed", type: "invalid_request_error" } }, "server"],
  ["Groq's own model missed the format", 400, { error: { code: "json_validate_failed", message: "no JSON" } }, "server"],
  [
    "OpenRouter repeats its provider",
    400,
    { error: { code: 400, message: "Provider returned error", metadata: { raw: '{"detail":"maximum context length is 9"}' } } },
    "context_length",
  ],
  [
    "OpenRouter repeats a provider's whole error",
    400,
    {
      error: {
        code: 400,
        message: "Provider returned error",
        metadata: {
          raw: '{"error": {"message": "Too much.", "type": "invalid_request_error", "code": "context_length_exceeded"}}',
        },
      },
    },
    "context_length",
  ],
  ["xAI's key", 400, { code: "Client specified an invalid argument", error: "Incorrect API key provided: ab***yz." }, "auth"],
  [
    "xAI's prompt",
    400,
    { error: "This model's maximum prompt length is 9 but the request contains 12 tokens." },
    "context_length",
  ],
  ["xAI's credits", 403, { code: "No permission", error: "Your team doesn't have any credits yet." }, "billing"],
  ["xAI's guard", 403, { code: "No permission", error: "Content violates usage guidelines." }, "content_filter"],
  [
    "DeepSeek's guard",
    400,
    { error: { message: "Content Exists Risk", type: "invalid_request_error", param: null, code: "invalid_request_error" } },
    "content_filter",
  ],
  [
    "Azure's guard",
    400,
    {
      error: {
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
        innererror: { code: "ResponsibleAIPolicyViolation", content_filter_result: { violence: { filtered: true } } },
      },
    },
    "content_filter",
  ],
  [
    "Qwen's guard",
    400,
    { error: { code: "data_inspection_failed", message: "Input data may contain inappropriate content." } },
    "content_filter",
  ],
  ["a guardrail of the account", 403, { object: "error", message: "The request was blocked by a guardrail." }, "content_filter"],
  ["Mistral's model", 400, { object: "error", message: "Invalid model: x", type: "invalid_model", code: "1500" }, "model_gone"],
  ["OpenRouter's model", 400, { error: { message: "x is not a valid model ID", code: 400 } }, "model_gone"],
  ["DeepSeek's model", 400, { error: { message: "Model Not Exist", type: "invalid_request_error" } }, "model_gone"],
  ["SiliconFlow's model", 400, { code: 20012, message: "Model does not exist. Check it." }, "model_gone"],
  ["SiliconFlow's balance", 403, { code: 30001, message: "Your account balance is insufficient" }, "billing"],
  [
    "SiliconFlow's window",
    400,
    { code: 20015, message: "length of prompt_tokens (12) must be less than max_seq_len (9)." },
    "context_length",
  ],
  [
    "DeepInfra's window",
    400,
    { error: { message: "Requested input length 12 exceeds maximum input length 9" } },
    "context_length",
  ],
  [
    "Moonshot's window",
    400,
    { error: { message: "Input token length too long", type: "invalid_request_error" } },
    "context_length",
  ],
  [
    "Volcengine's debt",
    403,
    { error: { code: "AccountOverdueError", message: "Your account has an overdue balance." } },
    "billing",
  ],
  ["One API's spent key", 403, { error: { code: "insufficient_user_quota", message: "用户额度不足" } }, "billing"],
  [
    "LiteLLM's spent key",
    400,
    { error: { code: "400", type: "budget_exceeded", message: "Current cost: 9, Max: 8" } },
    "billing",
  ],
  [
    "Cloudflare's spent day",
    429,
    { errors: [{ code: 4006, message: "you have used up your daily free allocation" }] },
    "billing",
  ],
  ["Cloudflare's model", 400, { errors: [{ code: 5007, message: "No such model @cf/x or task" }] }, "model_gone"],
  ["GitHub's model", 400, { error: { message: "Model not found; expected format: {publisher}/{model_name}" } }, "model_gone"],
  ["GitHub's closed model", 403, { error: { code: "no_access", message: "No access to model: x" } }, "model_gone"],
  ["Bedrock's closed model", 403, { message: "You don't have access to the model with the specified model ID." }, "model_gone"],
  ["Bedrock's model", 400, { message: "The provided model identifier is invalid." }, "model_gone"],
  ["Bedrock's model under another id", 400, { message: "x with on-demand throughput isn’t supported." }, "model_gone"],
  [
    "a model that LiteLLM's key may not use",
    401,
    { error: { type: "key_model_access_denied", code: "401", message: "key not allowed to access model. Tried to access x" } },
    "model_gone",
  ],
  [
    "LiteLLM's model",
    400,
    { error: { code: "400", param: "model", message: "Invalid model name passed in model=x." } },
    "model_gone",
  ],
  [
    "Azure's model of another kind",
    400,
    { error: { code: "OperationNotSupported", message: "The operation does not work with the specified model, x." } },
    "model_gone",
  ],
  ["a key without a right", 403, { error: { message: "The `models` permission is required to access this endpoint" } }, "auth"],
  ["OpenRouter's spent key", 403, { error: { message: "Key limit exceeded (total limit).", code: 403 } }, "billing"],
  ["Alibaba's spent trial", 403, { error: { message: "The free tier of the model has been exhausted." } }, "billing"],
  [
    "Alibaba's minute",
    429,
    { error: { message: "Check your plan: https://docs.example/error-code#token-limit", code: "insufficient_quota" } },
    "rate_limit",
  ],
  [
    "Volcengine's guard",
    400,
    { error: { message: "The input text may contain sensitive information.", code: "InputTextSensitive", type: "BadRequest" } },
    "content_filter",
  ],
  ["Moonshot's quota", 429, { error: { type: "exceeded_current_quota_error", message: "suspended" } }, "billing"],
  ["Moonshot's load", 429, { error: { type: "engine_overloaded_error", message: "try again" } }, "overloaded"],
  [
    "Groq's minute",
    413,
    { error: { message: "Request too large", type: "tokens", code: "rate_limit_exceeded" } },
    "context_length",
  ],
  [
    "vLLM's window",
    400,
    { object: "error", message: "The decoder prompt is longer than the maximum model length of 9." },
    "context_length",
  ],
  [
    "vLLM's older window",
    400,
    { error: { message: "The prompt length 12 exceeds the max_model_len 9.", code: 400 } },
    "context_length",
  ],
  [
    "SGLang's window",
    400,
    { error: "Input length (12 tokens) exceeds the maximum allowed length (9 tokens)." },
    "context_length",
  ],
  [
    "Poolside's window",
    400,
    { error: "Input length 12 exceeds the maximum allowed input length of 9 tokens." },
    "context_length",
  ],
  ["Volcengine's window", 400, { error: { message: "Total tokens exceed max message tokens." } }, "context_length"],
  ["LM Studio's window", 400, { error: "Trying to keep the first 12 tokens when n_ctx is 9" }, "context_length"],
  [
    "Gemini's server of this format",
    429,
    [{ error: { code: 429, message: "You exceeded your current quota, see billing details", status: "RESOURCE_EXHAUSTED" } }],
    "rate_limit",
  ],
  [
    "a keyword inside a tool's schema",
    400,
    { error: { param: "tools[0].function.parameters", message: "Invalid schema for function 'f': 'oneOf' is not supported" } },
    "unsupported_param",
  ],
  [
    "a type of tool",
    400,
    { error: { code: "unsupported_value", param: "tools[0].type", message: "Supported values are: 'function'" } },
    "bad_request",
  ],
  ["a plain field", 400, { error: { param: "top_p", message: "top_p is not supported here" } }, "unsupported_param"],
  ["Z.ai's balance", 429, { error: { code: "1113", message: "余额不足或无可用资源包,请充值。" } }, "billing"],
  ["Z.ai's window", 400, { error: { code: "1261", message: "Prompt exceeds max length" } }, "context_length"],
  ["Z.ai's policy", 400, { error: { code: "1301", message: "敏感内容" }, contentFilter: [{ level: 1 }] }, "content_filter"],
  [
    "Cloudflare's list",
    400,
    { success: false, errors: [{ code: 5021, message: "exceeds this context window" }] },
    "context_length",
  ],
  ["a model nobody serves", 400, { error: { code: "model_not_supported", param: "model", message: "No." } }, "model_gone"],
  ["a model that crashed (LM Studio)", 400, { error: "The model has crashed without additional information." }, "server"],
  ["Alibaba's surge, repeated with status 400", 400, { error: { message: "Request rate increased too quickly." } }, "rate_limit"],
  ["a rate limit reported as invalid", 400, { error: { message: "Rate limit exceeded for this model" } }, "rate_limit"],
  ["Z.ai's load", 429, { error: { code: "1305", message: "Overloaded for now" } }, "overloaded"],
  ["Z.ai's model of a dearer plan", 429, { error: { code: "1311", message: "Not in your plan" } }, "model_gone"],
  [
    "Z.ai's other window",
    400,
    { error: { code: "1210", message: "tokens in request more than max tokens allowed" } },
    "context_length",
  ],
  [
    "Groq's spent limit",
    400,
    { error: { code: "blocked_api_access", type: "invalid_request_error", message: "No." } },
    "billing",
  ],
  ...["model_permission_blocked_org", "model_permission_blocked_project", "model_terms_required"].map(
    (code): [string, number, unknown, string] => [`Groq's ${code}`, 403, { error: { code, message: "No." } }, "model_gone"],
  ),
  [
    "MiniMax's spent account",
    500,
    { type: "error", error: { type: "server_error", message: "insufficient balance (1008)" } },
    "billing",
  ],
  ["the same in a stream", 0, { error: { type: "insufficient_balance_error", message: "insufficient balance" } }, "billing"],
  ["MiniMax's guard", 422, { type: "error", error: { type: "x", message: "input new_sensitive (1026)" } }, "content_filter"],
  [
    "Novita's that says nothing",
    400,
    { message: "invalid request error trace_id: e3ef771c0d85aac733a1093560541d47", type: "invalid_request_error" },
    "server",
  ],
  [
    "what a gateway got no answer from (Cloudflare)",
    400,
    { success: false, result: [], messages: [], error: [{ code: 2005, message: "Failed to get response from provider" }] },
    "server",
  ],
  ["OpenCode's", 400, { error: { type: "x", message: "Error from provider (Console Go): Upstream request failed" } }, "server"],
  [
    "a stream that was cut behind a relay",
    0,
    { error: { type: "invalid_request_error", code: "request_timeout", message: "stream disconnected before completion" } },
    "timeout",
  ],
  ...["model", "endpoint"].map((what): [string, number, unknown, string] => [
    `OpenCode's ${what} that is away`,
    400,
    { error: { type: "x", message: `Error from provider (Console): Upstream request failed: ${what} is unavailable.` } },
    "server",
  ]),
  ["OpenCode's spent month", 429, { error: { message: "Monthly usage limit reached. Resets in 13 days." } }, "billing"],
  [
    "a model that is not sold where the server is",
    403,
    { type: "error", error: { type: "RegionError", message: "This model is not available in your country." } },
    "model_gone",
  ],
  ["the same at OpenRouter", 403, { error: { code: 403, message: "This model is not available in your region." } }, "model_gone"],
  ["One API's spent account, in Chinese", 403, { error: { message: "用户额度不足, 剩余额度: ¥0.00" } }, "billing"],
  ["a spent account, in Chinese", 429, { error: { message: "账户余额不足" } }, "billing"],
  ["a closed model, in Chinese", 403, { error: { message: "无权访问模型 claude-opus-5" } }, "model_gone"],
  ["a relay's failure", 400, { error: { message: "Temporary routing error (400).", code: 400 } }, "server"],
  [
    "Azure's model that is gone",
    400,
    { error: { message: "Could not find an existing deployment to match the model in the request." } },
    "model_gone",
  ],
  ["an unknown model", 400, { object: "error", message: "Unknown model: foo", type: "x" }, "model_gone"],
  ...[400, 403].map((status): [string, number, unknown, string] => [
    `a vendor's models that are closed, with status ${status}`,
    status,
    { error: { message: "Access to Anthropic models is not allowed for this account." } },
    "model_gone",
  ]),
  [
    "Vertex AI's closed model",
    400,
    [{ error: { code: 400, message: "Project `p` is not allowed to use Publisher Model `m`", status: "FAILED_PRECONDITION" } }],
    "model_gone",
  ],
  [
    "Tencent's spent trial of a model",
    402,
    { error: { code: "401008", message: "The free trial quota is exhausted" } },
    "model_gone",
  ],
  [
    "Volcengine's paused model",
    429,
    { error: { code: "SetLimitExceeded", message: "The model service has been paused." } },
    "model_gone",
  ],
  [
    "Volcengine's guard",
    400,
    { error: { code: "InputTextSensitiveContentDetected.PolicyViolation", message: "The request failed." } },
    "content_filter",
  ],
  [
    "Z.ai's guard without a code",
    400,
    { error: { message: "System detected potentially unsafe or sensitive content in input" } },
    "content_filter",
  ],
  [
    "a limit of spending",
    400,
    { error: { message: "No.", type: "invalid_request_error", code: "spend_limit_reached" } },
    "billing",
  ],
  ["Novita's balance", 403, { code: 403, reason: "NOT_ENOUGH_BALANCE", message: "not enough balance" }, "billing"],
  [
    "Bedrock's model of another format",
    400,
    { error: { code: "validation_error", message: "The model 'x' does not support the '/v1/chat/completions' API" } },
    "model_gone",
  ],
  ["Bedrock's extra key", 400, { message: "#: extraneous key [frequency_penalty] is not permitted" }, "unsupported_param"],
  [
    "the guard of a gateway (Cloudflare)",
    424,
    { success: false, error: [{ code: 2016, message: "Prompt blocked due to security configurations" }] },
    "content_filter",
  ],
  ["a gateway's key (Cloudflare)", 401, { success: false, error: [{ code: 2009, message: "Unauthorized" }] }, "auth"],
  ["a model put away meanwhile (LM Studio)", 400, { error: "Model unloaded." }, "server"],
  [
    "llama.cpp's window, full in the middle of an answer",
    500,
    { error: { code: 500, type: "server_error", message: "Context size has been exceeded." } },
    "context_length",
  ],
  [
    "the same in a stream",
    0,
    { error: { code: 500, type: "server_error", message: "Context size has been exceeded." } },
    "context_length",
  ],
  [
    "a sequence that is too long",
    400,
    { error: { message: "the maximum supported sequence length is just 9!" } },
    "context_length",
  ],
  ["Perplexity's order", 400, { error: { message: "Last message must have role `user`." } }, "unsupported_param"],
  ["overload", 503, { error: { message: "overloaded" } }, "overloaded"],
  ["gateway", 502, "<html>", "server"],
  ["timeout", 504, "", "timeout"],
  ["a path that takes no POST", 405, "Method Not Allowed", "model_gone"],
  ["no such path at LM Studio", 0, { error: "Unexpected endpoint or method. (POST /chat/completions)" }, "model_gone"],
  ["a proxy before the vendor", 407, "<html>Proxy Authentication Required</html>", "network"],
  ["a country that is not served", 451, { error: { message: "Unavailable For Legal Reasons" } }, "auth"],
  ["payload", 413, "", "context_length"],
];

for (const [name, status, body, kind] of kinds) {
  test(`status ${status} (${name}) is ${kind}`, () => {
    expect(mapOpenAiError({ provider: "P", status, body }).kind).toBe(kind as never);
  });
}

test("an error that LiteLLM repeats is read as that of the vendor behind", () => {
  const repeated = (relay: string, status: number, inner: unknown) =>
    mapOpenAiError({
      provider: "P",
      status,
      body: {
        error: {
          message: `litellm.${relay} - ${JSON.stringify(inner, undefined, 2)}\n. Received Model Group=m\nAvailable Model Group Fallbacks=['n']`,
          type: null,
          param: null,
          code: String(status),
        },
      },
    });
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "26.6s" }];
  const full = { error: { code: 429, message: "You exceeded your current quota", status: "RESOURCE_EXHAUSTED", details } };
  expect(repeated("RateLimitError: GeminiException", 429, full)).toMatchObject({
    kind: "rate_limit",
    details: { retryAfterMs: 26_600 },
  });
  const level = {
    error: { code: 400, message: "Thinking level LOW is not supported for this model.", status: "INVALID_ARGUMENT" },
  };
  expect(repeated("BadRequestError: Vertex_aiException BadRequestError", 400, level)).toMatchObject({
    kind: "unsupported_param",
    details: { param: "reasoning_effort", once: true },
  });
  const groqs = { error: { message: "Not for this model", code: "unsupported_parameter", param: "seed" } };
  expect(repeated("BadRequestError: GroqException", 400, groqs)).toMatchObject({
    kind: "unsupported_param",
    details: { param: "seed" },
  });
});
