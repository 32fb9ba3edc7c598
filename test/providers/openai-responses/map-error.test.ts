/** What OpenAI says against a Responses request, and what is learned from it. */

import { expect, test } from "bun:test";
import { PHASE, SUMMARY } from "../../../src/providers/openai-responses/drop-parameter.ts";
import { mapResponsesError } from "../../../src/providers/openai-responses/map-error.ts";

const read = (error: object, status = 400, headers = new Headers()) => {
  const { kind, details } = mapResponsesError({ provider: "OpenAI", status, headers, body: { error } });
  return { kind, ...details };
};
const refusalOf = (message: string, param: string | null, code: string | null = null) => {
  const { kind, param: learned, once = false } = read({ message, type: "invalid_request_error", param, code });
  return [kind, learned, once];
};

test("a refused field is learned under the name that chat completions have for it", () => {
  expect(refusalOf("Unsupported parameter: 'temperature' is not supported with this model.", "temperature")).toEqual([
    "unsupported_param",
    "temperature",
    false,
  ]);
  expect(
    refusalOf(
      "Unsupported value: 'reasoning.effort' does not support 'minimal' with this model. Supported values are: 'low', 'high'.",
      "reasoning.effort",
      "unsupported_value",
    ),
  ).toEqual(["unsupported_param", "reasoning_effort", true]);
  expect(refusalOf("Invalid schema for response_format 'n': …", "text.format.schema", "invalid_json_schema")).toEqual([
    "unsupported_param",
    "response_format",
    "schemas",
  ]);
  expect(refusalOf("Unknown parameter: 'input[3].phase'.", "input[3].phase", "unknown_parameter")).toEqual([
    "unsupported_param",
    PHASE,
    false,
  ]);
  const unverified = "Your organization must be verified to generate reasoning summaries.";
  expect(refusalOf(unverified, "reasoning.summary", "unsupported_value")).toEqual(["unsupported_param", SUMMARY, false]);
  const terse = "Unsupported value: 'low' is not supported with the 'm' model. Supported values are: 'medium'.";
  expect(refusalOf(terse, "text.verbosity", "unsupported_value")).toEqual(["unsupported_param", "verbosity", false]);
  expect(refusalOf("Encrypted content is not supported with this model.", "include")).toEqual([
    "unsupported_param",
    "include",
    false,
  ]);
});

test("thoughts that cannot be opened are left out of this request alone", () => {
  const unopened = "The encrypted content gAAA...x== could not be verified.";
  expect(refusalOf(unopened, null, "invalid_encrypted_content")).toEqual([
    "unsupported_param",
    "messages.reasoning_content",
    true,
  ]);
  expect(refusalOf(unopened, null)).toEqual(["unsupported_param", "messages.reasoning_content", true]);
  expect(refusalOf("Item 'rs_1' of type 'reasoning' was provided without its required following item.", "input")).toEqual([
    "unsupported_param",
    "messages.reasoning_content",
    true,
  ]);
});

test("of a sentence, the name is taken without the full stop; and of a wrapped one, what was refused", () => {
  const effort = "Model grok-4-1-fast does not support parameter reasoningEffort.";
  expect(refusalOf(effort, null)).toEqual(["unsupported_param", "reasoning_effort", false]);
  const sealed = "Upstream request failed: [invalid_request_error] reasoning `encrypted_content` was not issued to this caller";
  expect(refusalOf(sealed, null)).toEqual(["unsupported_param", "messages.reasoning_content", true]);
});

test("neither input nor tools can be left out: what is wrong with them is the caller's", () => {
  for (const param of ["input", "input[1].content[0].image_url", "tools[0].parameters"])
    expect(refusalOf(`Unsupported value: '${param}'.`, param, "unsupported_value")[0]).toBe("bad_request");
});

test("limits, balances, keys, windows and policies are told apart", () => {
  expect(read({ message: "Rate limit reached. Please try again in 1.5s.", code: "rate_limit_exceeded" }, 429)).toMatchObject({
    kind: "rate_limit",
    retryAfterMs: 1500,
  });
  expect(read({ message: "…", code: "rate_limit_exceeded" }, 429, new Headers({ "retry-after": "7" })).retryAfterMs).toBe(7000);
  expect(read({ message: "…", code: "insufficient_quota", type: "insufficient_quota" }, 429).kind).toBe("billing");
  expect(read({ message: "Incorrect API key provided.", code: "invalid_api_key" }, 401).kind).toBe("auth");
  expect(read({ message: "Too long.", code: "context_length_exceeded", param: "input" }).kind).toBe("context_length");
  expect(read({ message: "The model `m` does not exist.", code: "model_not_found", param: "model" }, 404).kind).toBe(
    "model_gone",
  );
});

test("a failed response, which says nothing of whose fault it is, is told by its code", () => {
  const failed = (code: string, message = "…") => read({ code, message }, 0).kind;
  expect(failed("server_error")).toBe("server");
  expect(failed("rate_limit_exceeded")).toBe("rate_limit");
  expect(failed("invalid_image_format")).toBe("bad_request");
  expect(failed("failed_to_download_image")).toBe("bad_request");
  expect(failed("invalid_prompt", "Your prompt was flagged as potentially violating our usage policy.")).toBe("content_filter");
  for (const code of ["bio_policy", "misalignment_policy_violation", "image_content_policy_violation"])
    expect(failed(code)).toBe("content_filter");
  expect(failed("of_tomorrow")).toBe("server");
});
