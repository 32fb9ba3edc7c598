/** What Gemini's errors mean. */

import { expect, test } from "bun:test";
import { mapGoogleError } from "../../../src/providers/google/map-error.ts";

const errorOf = (status: number, error: object, wrap = false) =>
  mapGoogleError({ provider: "P", status, body: wrap ? [{ error }] : { error } });
const retryInfo = (retryDelay: string) => ({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay });

test("the wait is read from the body, also inside a list and with fractions", () => {
  const error = errorOf(429, { code: 429, status: "RESOURCE_EXHAUSTED", message: "quota", details: [retryInfo("26.66s")] }, true);
  expect([error.kind, error.details.retryAfterMs]).toEqual(["rate_limit", 26_660]);
});

test("a quota of the day is no rate limit: waiting the hinted seconds does not help", () => {
  const details = [{ violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] }, retryInfo("30s")];
  const error = errorOf(429, {
    status: "RESOURCE_EXHAUSTED",
    message: "You exceeded your current quota, please check your plan and billing details.",
    details,
  });
  expect([error.kind, error.details.retryAfterMs, error.retryable]).toEqual(["billing", undefined, false]);
});

const kinds: [number, string, string, string][] = [
  [429, "RESOURCE_EXHAUSTED", "Your project has exceeded its monthly spending cap.", "billing"],
  [429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric: free_tier_requests, limit: 0, model: m", "model_gone"],
  [429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric: free_tier_requests, limit: 20, model: m", "rate_limit"],
  [400, "INVALID_ARGUMENT", "API key not valid.", "auth"],
  [402, "RESOURCE_EXHAUSTED", "Your prepay credits are depleted.", "billing"],
  [403, "PERMISSION_DENIED", "no", "auth"],
  [403, "PERMISSION_DENIED", "You do not have permission to access the File x1 or it may not exist.", "bad_request"],
  [400, "FAILED_PRECONDITION", "The File x1 is not in an ACTIVE state and usage is not allowed.", "bad_request"],
  [404, "NOT_FOUND", "models/x is not found", "model_gone"],
  [
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "context_length",
  ],
  [400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes.", "context_length"],
  [400, "INVALID_ARGUMENT", "Budget 0 is invalid. This model only works in thinking mode.", "unsupported_param"],
  [400, "INVALID_ARGUMENT", "Thinking level MINIMAL is not supported for this model.", "unsupported_param"],
  [400, "INVALID_ARGUMENT", "Please ensure that single turn requests end with a user role.", "bad_request"],
  [400, "FAILED_PRECONDITION", "User location is not supported for the API use.", "auth"],
  [400, "FAILED_PRECONDITION", "Project `p` is not allowed to use Publisher Model `m`", "model_gone"],
  [400, "INVALID_ARGUMENT", "Penalty is not enabled for models/m", "unsupported_param"],
  [499, "CANCELLED", "The operation was cancelled.", "server"],
  [503, "UNAVAILABLE", "overloaded", "overloaded"],
  [500, "INTERNAL", "oops", "server"],
];
test.each(kinds)("status %d %s %p is %s", (status, name, message, kind) => {
  expect(errorOf(status, { status: name, message }).kind).toBe(kind as never);
});

test("a key that is not valid is told by its reason, too", () => {
  const details = [{ reason: "API_KEY_INVALID" }];
  expect(errorOf(400, { status: "INVALID_ARGUMENT", message: "no", details }).kind).toBe("auth");
});
