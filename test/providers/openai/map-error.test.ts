/** What kind of failure an error of OpenAI's, or of a vendor that copied it, is. */

import { expect, test } from "bun:test";
import { mapOpenAiError } from "../../../src/providers/openai/map-error.ts";

type Failed = [name: string, status: number, body: unknown];

const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

const FAILURES: Record<string, readonly Failed[]> = {
  billing: [
    ["quota", 429, said("You exceeded your current quota", { code: "insufficient_quota" })],
    ["credit_balance_exhausted", 429, said("No more.", { code: "credit_balance_exhausted", type: "limit" })],
    ["organization_spend_limit_exceeded", 429, said("No more.", { code: "organization_spend_limit_exceeded", type: "limit" })],
    ["project_spend_limit_exceeded", 429, said("No more.", { code: "project_spend_limit_exceeded", type: "limit" })],
    ["an account that is suspended", 412, said("Account a is suspended: spending limit reached.")],
    ["an account that owes", 400, said("Is your account in good standing?", { code: "Owes" })],
    ["Z.ai's spent plan", 429, said("Limit reached", { code: "1308" })],
    ["balance (DeepSeek)", 402, said("Insufficient Balance")],
    ["Anthropic's balance", 400, said("Your credit balance is too low to access the API.")],
    ["xAI's credits", 403, { code: "No permission", error: "Your team doesn't have any credits yet." }],
    ["SiliconFlow's balance", 403, { code: 30001, message: "Your account balance is insufficient" }],
    ["Volcengine's debt", 403, said("Your account has an overdue balance.", { code: "AccountOverdueError" })],
    ["One API's spent key", 403, said("用户额度不足", { code: "insufficient_user_quota" })],
    ["LiteLLM's spent key", 400, said("Current cost: 9, Max: 8", { code: "400", type: "budget_exceeded" })],
    ["Cloudflare's spent day", 429, { errors: [{ code: 4006, message: "you have used up your daily free allocation" }] }],
    ["OpenRouter's spent key", 403, said("Key limit exceeded (total limit).", { code: 403 })],
    ["Alibaba's spent trial", 403, said("The free tier of the model has been exhausted.")],
    ["Moonshot's quota", 429, said("suspended", { type: "exceeded_current_quota_error" })],
    ["Z.ai's balance", 429, said("余额不足或无可用资源包,请充值。", { code: "1113" })],
    ["Groq's spent limit", 400, said("No.", { code: "blocked_api_access", type: "invalid_request_error" })],
    ["MiniMax's spent account", 500, { type: "error", error: { type: "server_error", message: "insufficient balance (1008)" } }],
    ["the same in a stream", 0, said("insufficient balance", { type: "insufficient_balance_error" })],
    ["OpenCode's spent month", 429, said("Monthly usage limit reached. Resets in 13 days.")],
    ["One API's spent account, in Chinese", 403, said("用户额度不足, 剩余额度: ¥0.00")],
    ["a spent account, in Chinese", 429, said("账户余额不足")],
    ["a limit of spending", 400, said("No.", { type: "invalid_request_error", code: "spend_limit_reached" })],
    ["Novita's balance", 403, { code: 403, reason: "NOT_ENOUGH_BALANCE", message: "not enough balance" }],
  ],
  context_length: [
    [
      "beyond what a minute may hold",
      429,
      said("Request too large for m on tokens per min (TPM): Limit 30000, Requested 35364.", {
        code: "rate_limit_exceeded",
        type: "tokens",
      }),
    ],
    ["context", 400, said("too long", { code: "context_length_exceeded" })],
    ["context by text", 400, said("This model's maximum context length is 8192 tokens", { code: null })],
    ["context by status 403", 403, said("Input tokens and max_tokens must fit the context length")],
    ["context as a range", 400, said("Range of input length should be [1, 9]")],
    [
      "OpenRouter repeats its provider",
      400,
      said("Provider returned error", { code: 400, metadata: { raw: '{"detail":"maximum context length is 9"}' } }),
    ],
    [
      "OpenRouter repeats a provider's whole error",
      400,
      said("Provider returned error", {
        code: 400,
        metadata: {
          raw: '{"error": {"message": "Too much.", "type": "invalid_request_error", "code": "context_length_exceeded"}}',
        },
      }),
    ],
    ["xAI's prompt", 400, { error: "This model's maximum prompt length is 9 but the request contains 12 tokens." }],
    ["SiliconFlow's window", 400, { code: 20015, message: "length of prompt_tokens (12) must be less than max_seq_len (9)." }],
    ["DeepInfra's window", 400, said("Requested input length 12 exceeds maximum input length 9")],
    ["Moonshot's window", 400, said("Input token length too long", { type: "invalid_request_error" })],
    ["Groq's minute", 413, said("Request too large", { type: "tokens", code: "rate_limit_exceeded" })],
    ["vLLM's window", 400, { object: "error", message: "The decoder prompt is longer than the maximum model length of 9." }],
    ["vLLM's older window", 400, said("The prompt length 12 exceeds the max_model_len 9.", { code: 400 })],
    ["SGLang's window", 400, { error: "Input length (12 tokens) exceeds the maximum allowed length (9 tokens)." }],
    ["Poolside's window", 400, { error: "Input length 12 exceeds the maximum allowed input length of 9 tokens." }],
    ["Volcengine's window", 400, said("Total tokens exceed max message tokens.")],
    ["LM Studio's window", 400, { error: "Trying to keep the first 12 tokens when n_ctx is 9" }],
    ["Z.ai's window", 400, said("Prompt exceeds max length", { code: "1261" })],
    ["Cloudflare's list", 400, { success: false, errors: [{ code: 5021, message: "exceeds this context window" }] }],
    ["Z.ai's other window", 400, said("tokens in request more than max tokens allowed", { code: "1210" })],
    [
      "llama.cpp's window, full in the middle of an answer",
      500,
      said("Context size has been exceeded.", { code: 500, type: "server_error" }),
    ],
    ["the same in a stream", 0, said("Context size has been exceeded.", { code: 500, type: "server_error" })],
    ["a sequence that is too long", 400, said("the maximum supported sequence length is just 9!")],
    ["payload", 413, ""],
  ],
  server: [
    ["a generation that failed", 424, { error: "Request failed during generation", error_type: "generation" }],
    ["too early", 425, {}],
    ["a call that a proxy gave up", 499, ""],
    ["Groq's own model missed the tool", 400, { error: { code: "tool_use_failed", type: "invalid_request_error" } }],
    ["Groq's own model missed the format", 400, said("no JSON", { code: "json_validate_failed" })],
    ["a model that crashed (LM Studio)", 400, { error: "The model has crashed without additional information." }],
    [
      "Novita's that says nothing",
      400,
      { message: "invalid request error trace_id: e3ef771c0d85aac733a1093560541d47", type: "invalid_request_error" },
    ],
    [
      "what a gateway got no answer from (Cloudflare)",
      400,
      { success: false, result: [], messages: [], error: [{ code: 2005, message: "Failed to get response from provider" }] },
    ],
    ["OpenCode's", 400, said("Error from provider (Console Go): Upstream request failed", { type: "x" })],
    [
      "OpenCode's model that is away",
      400,
      said("Error from provider (Console): Upstream request failed: model is unavailable.", { type: "x" }),
    ],
    [
      "OpenCode's endpoint that is away",
      400,
      said("Error from provider (Console): Upstream request failed: endpoint is unavailable.", { type: "x" }),
    ],
    ["a relay's failure", 400, said("Temporary routing error (400).", { code: 400 })],
    ["a model put away meanwhile (LM Studio)", 400, { error: "Model unloaded." }],
    ["gateway", 502, "<html>"],
  ],
  overloaded: [
    ["overload by its status", 503, said("Try again later", { type: "server_error", code: null })],
    ["a stream's overload", 0, said("no", { code: "server_is_overloaded" })],
    ["Moonshot's load", 429, said("try again", { type: "engine_overloaded_error" })],
    ["Z.ai's load", 429, said("Overloaded for now", { code: "1305" })],
    ["overload", 503, said("overloaded")],
  ],
  rate_limit: [
    ["rate", 429, said("Rate limit reached", { code: "rate_limit_exceeded" })],
    ["a stream's rate limit", 0, said("no", { type: "rate_limit_error" })],
    ["a stream's status as text", 0, said("no", { code: "429" })],
    [
      "Google's rate limit behind OpenRouter",
      429,
      said("Provider returned error", {
        code: 429,
        metadata: {
          raw: '{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}',
        },
      }),
    ],
    [
      "Alibaba's minute",
      429,
      said("Check your plan: https://docs.example/error-code#token-limit", { code: "insufficient_quota" }),
    ],
    [
      "Gemini's server of this format",
      429,
      [said("You exceeded your current quota, see billing details", { code: 429, status: "RESOURCE_EXHAUSTED" })],
    ],
    ["Alibaba's surge, repeated with status 400", 400, said("Request rate increased too quickly.")],
    ["a rate limit reported as invalid", 400, said("Rate limit exceeded for this model")],
  ],
  content_filter: [
    ["policy", 400, said("rejected", { code: "content_policy_violation" })],
    ["policy by status 403", 403, said("Your input was flagged by moderation", { code: 403 })],
    ["xAI's guard", 403, { code: "No permission", error: "Content violates usage guidelines." }],
    [
      "DeepSeek's guard",
      400,
      said("Content Exists Risk", { type: "invalid_request_error", param: null, code: "invalid_request_error" }),
    ],
    [
      "Azure's guard",
      400,
      said("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", {
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
        innererror: { code: "ResponsibleAIPolicyViolation", content_filter_result: { violence: { filtered: true } } },
      }),
    ],
    ["Qwen's guard", 400, said("Input data may contain inappropriate content.", { code: "data_inspection_failed" })],
    ["a guardrail of the account", 403, { object: "error", message: "The request was blocked by a guardrail." }],
    [
      "Volcengine's guard",
      400,
      said("The input text may contain sensitive information.", { code: "InputTextSensitive", type: "BadRequest" }),
    ],
    ["Z.ai's policy", 400, { error: { code: "1301", message: "敏感内容" }, contentFilter: [{ level: 1 }] }],
    ["MiniMax's guard", 422, { type: "error", error: { type: "x", message: "input new_sensitive (1026)" } }],
    ["Volcengine's guard", 400, said("The request failed.", { code: "InputTextSensitiveContentDetected.PolicyViolation" })],
    ["Z.ai's guard without a code", 400, said("System detected potentially unsafe or sensitive content in input")],
    [
      "the guard of a gateway (Cloudflare)",
      424,
      { success: false, error: [{ code: 2016, message: "Prompt blocked due to security configurations" }] },
    ],
  ],
  auth: [
    ["a closed account (Groq)", 400, { error: { code: "organization_restricted", type: "invalid_request_error" } }],
    ["key", 401, said("no", { code: "invalid_api_key" })],
    ["LiteLLM's own key", 401, said("Authentication Error, Invalid proxy server token passed")],
    ["xAI's key", 400, { code: "Client specified an invalid argument", error: "Incorrect API key provided: ab***yz." }],
    ["a key without a right", 403, said("The `models` permission is required to access this endpoint")],
    ["a gateway's key (Cloudflare)", 401, { success: false, error: [{ code: 2009, message: "Unauthorized" }] }],
    ["a country that is not served", 451, said("Unavailable For Legal Reasons")],
  ],
  model_gone: [
    ["model", 404, said("no such model", { code: "model_not_found" })],
    [
      "Anthropic's balance behind LiteLLM",
      400,
      said("litellm.BadRequestError: AnthropicException - Your credit balance is too low to access the API."),
    ],
    [
      "a vendor's key behind LiteLLM",
      401,
      said('litellm.AuthenticationError: AnthropicException - {"error":{"message":"invalid x-api-key"}}', { code: "401" }),
    ],
    [
      "a vendor's key behind OpenRouter",
      401,
      said("Provider returned error", { code: 401, metadata: { raw: "Invalid API key", provider_name: "Vendor" } }),
    ],
    ["Mistral's model", 400, { object: "error", message: "Invalid model: x", type: "invalid_model", code: "1500" }],
    ["OpenRouter's model", 400, said("x is not a valid model ID", { code: 400 })],
    ["DeepSeek's model", 400, said("Model Not Exist", { type: "invalid_request_error" })],
    ["SiliconFlow's model", 400, { code: 20012, message: "Model does not exist. Check it." }],
    ["Cloudflare's model", 400, { errors: [{ code: 5007, message: "No such model @cf/x or task" }] }],
    ["GitHub's model", 400, said("Model not found; expected format: {publisher}/{model_name}")],
    ["GitHub's closed model", 403, said("No access to model: x", { code: "no_access" })],
    ["Bedrock's closed model", 403, { message: "You don't have access to the model with the specified model ID." }],
    ["Bedrock's model", 400, { message: "The provided model identifier is invalid." }],
    ["Bedrock's model under another id", 400, { message: "x with on-demand throughput isn’t supported." }],
    [
      "a model that LiteLLM's key may not use",
      401,
      said("key not allowed to access model. Tried to access x", { type: "key_model_access_denied", code: "401" }),
    ],
    ["LiteLLM's model", 400, said("Invalid model name passed in model=x.", { code: "400", param: "model" })],
    [
      "Azure's model of another kind",
      400,
      said("The operation does not work with the specified model, x.", { code: "OperationNotSupported" }),
    ],
    ["a model nobody serves", 400, said("No.", { code: "model_not_supported", param: "model" })],
    ["Z.ai's model of a dearer plan", 429, said("Not in your plan", { code: "1311" })],
    ["Groq's model_permission_blocked_org", 403, said("No.", { code: "model_permission_blocked_org" })],
    ["Groq's model_permission_blocked_project", 403, said("No.", { code: "model_permission_blocked_project" })],
    ["Groq's model_terms_required", 403, said("No.", { code: "model_terms_required" })],
    [
      "a model that is not sold where the server is",
      403,
      { type: "error", error: { type: "RegionError", message: "This model is not available in your country." } },
    ],
    ["the same at OpenRouter", 403, said("This model is not available in your region.", { code: 403 })],
    ["a closed model, in Chinese", 403, said("无权访问模型 claude-opus-5")],
    ["Azure's model that is gone", 400, said("Could not find an existing deployment to match the model in the request.")],
    ["an unknown model", 400, { object: "error", message: "Unknown model: foo", type: "x" }],
    [
      "a vendor's models that are closed, with status 400",
      400,
      said("Access to Anthropic models is not allowed for this account."),
    ],
    [
      "a vendor's models that are closed, with status 403",
      403,
      said("Access to Anthropic models is not allowed for this account."),
    ],
    [
      "Vertex AI's closed model",
      400,
      [said("Project `p` is not allowed to use Publisher Model `m`", { code: 400, status: "FAILED_PRECONDITION" })],
    ],
    ["Tencent's spent trial of a model", 402, said("The free trial quota is exhausted", { code: "401008" })],
    ["Volcengine's paused model", 429, said("The model service has been paused.", { code: "SetLimitExceeded" })],
    [
      "Bedrock's model of another format",
      400,
      said("The model 'x' does not support the '/v1/chat/completions' API", { code: "validation_error" }),
    ],
    ["a path that takes no POST", 405, "Method Not Allowed"],
    ["no such path at LM Studio", 0, { error: "Unexpected endpoint or method. (POST /chat/completions)" }],
  ],
  unsupported_param: [
    [
      "Mistral's extra field",
      422,
      { detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted" }] },
    ],
    [
      "xAI's string",
      400,
      { code: "Client specified an invalid argument", error: "Argument not supported on this model: presencePenalty" },
    ],
    ["xAI's shorter one", 400, { code: "400", error: "Argument not supported: include" }],
    [
      "a keyword inside a tool's schema",
      400,
      said("Invalid schema for function 'f': 'oneOf' is not supported", { param: "tools[0].function.parameters" }),
    ],
    ["a plain field", 400, said("top_p is not supported here", { param: "top_p" })],
    ["Bedrock's extra key", 400, { message: "#: extraneous key [frequency_penalty] is not permitted" }],
    ["Perplexity's order", 400, said("Last message must have role `user`.")],
  ],
  bad_request: [
    ["unprocessable", 422, { object: "error", message: { detail: [{ type: "missing", loc: ["body", "messages"] }] } }],
    ["bad", 400, said("messages must not be empty", { type: "invalid_request_error" })],
    ["an image inside a message", 400, said("no images", { code: "unsupported_value", param: "messages[0].content" })],
    ["a type of tool", 400, said("Supported values are: 'function'", { code: "unsupported_value", param: "tools[0].type" })],
  ],
  timeout: [
    [
      "a stream that was cut behind a relay",
      0,
      said("stream disconnected before completion", { type: "invalid_request_error", code: "request_timeout" }),
    ],
    ["timeout", 504, ""],
  ],
  network: [["a proxy before the vendor", 407, "<html>Proxy Authentication Required</html>"]],
};

for (const [kind, failed] of Object.entries(FAILURES))
  test.each([...failed])(`%s, with status %d, is ${kind}`, (_name, status, body) => {
    expect(mapOpenAiError({ provider: "P", status, body }).kind).toBe(kind as never);
  });

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
