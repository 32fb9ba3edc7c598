/** What kind of failure an error of Anthropic's is. */

import { expect, test } from "bun:test";
import { mapAnthropicError } from "../../../src/providers/anthropic/map-error.ts";

const kinds: [number, string, string, string][] = [
  [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", "context_length"],
  [400, "invalid_request_error", "Your credit balance is too low to access the API.", "billing"],
  [400, "invalid_request_error", "temperature is deprecated for this model.", "unsupported_param"],
  [400, "invalid_request_error", "`temperature` and `top_p` cannot both be specified for this model.", "unsupported_param"],
  [400, "invalid_request_error", "messages: at least one message is required", "bad_request"],
  [400, "invalid_request_error", "This organization is disabled.", "auth"],
  [401, "authentication_error", "invalid x-api-key", "auth"],
  [402, "billing_error", "no", "billing"],
  [403, "permission_error", "no", "auth"],
  [404, "not_found_error", "model: x", "model_gone"],
  [413, "request_too_large", "too large", "context_length"],
  [429, "rate_limit_error", "slow down", "rate_limit"],
  [500, "api_error", "oops", "server"],
  [400, "insufficient_quota", "Your account has insufficient quota.", "billing"],
  [500, "api_error", "insufficient balance (1008)", "billing"],
  [429, "1113", "Insufficient balance or no resource package.", "billing"],
  [400, "invalid_request_error", "You're out of extra usage. Add more and keep going.", "billing"],
  [400, "invalid_request_error", "[1301] System detected potentially unsafe or sensitive content in input.", "content_filter"],
  [400, "", "Unknown Model, please check the model code.", "model_gone"],
  [403, "", "Access to Anthropic models is not allowed for this account.", "model_gone"],
  [529, "overloaded_error", "Overloaded", "overloaded"],
];

test("a trouble of the account is told by its code, whatever it is reported as", () => {
  const kindOf = (status: number, type: string, code: string) => {
    const error = { type, message: "…", details: { error_code: code } };
    return mapAnthropicError({ provider: "P", status, body: { type: "error", error } }).kind;
  };
  expect(kindOf(429, "rate_limit_error", "enforced_spend_limit_reached")).toBe("billing");
  expect(kindOf(429, "rate_limit_error", "contract_spend_limit_reached")).toBe("billing");
  expect(kindOf(429, "rate_limit_error", "ramp_limit_exceeded")).toBe("rate_limit");
  expect(kindOf(400, "invalid_request_error", "organization_on_hold")).toBe("auth");
  expect(kindOf(400, "invalid_request_error", "cmek_key_disabled")).toBe("auth");
});

for (const [status, type, message, kind] of kinds) {
  test(`status ${status} "${message}" is ${kind}`, () => {
    expect(mapAnthropicError({ provider: "P", status, body: { type: "error", error: { type, message } } }).kind).toBe(
      kind as never,
    );
  });
}

test("a server that only speaks the format may refuse a model in words of its own (Bedrock)", () => {
  const kindOf = (status: number, message: string) => mapAnthropicError({ provider: "P", status, body: { message } }).kind;
  expect(kindOf(403, "You don't have access to the model with the specified model ID.")).toBe("model_gone");
  expect(kindOf(400, "The provided model identifier is invalid.")).toBe("model_gone");
  expect(kindOf(403, "The security token included in the request is invalid.")).toBe("auth");
});
