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

const kinds: [number, object, string][] = [
  [429, { status: "RESOURCE_EXHAUSTED", message: "Your project has exceeded its monthly spending cap." }, "billing"],
  [
    429,
    { status: "RESOURCE_EXHAUSTED", message: "Quota exceeded for metric: free_tier_requests, limit: 0, model: m" },
    "model_gone",
  ],
  [
    429,
    { status: "RESOURCE_EXHAUSTED", message: "Quota exceeded for metric: free_tier_requests, limit: 20, model: m" },
    "rate_limit",
  ],
  [400, { status: "INVALID_ARGUMENT", message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] }, "auth"],
  [402, { status: "RESOURCE_EXHAUSTED", message: "Your prepay credits are depleted." }, "billing"],
  [403, { status: "PERMISSION_DENIED", message: "no" }, "auth"],
  [
    403,
    { status: "PERMISSION_DENIED", message: "You do not have permission to access the File x1 or it may not exist." },
    "bad_request",
  ],
  [
    400,
    { status: "FAILED_PRECONDITION", message: "The File x1 is not in an ACTIVE state and usage is not allowed." },
    "bad_request",
  ],
  [404, { status: "NOT_FOUND", message: "models/x is not found" }, "model_gone"],
  [
    400,
    {
      status: "INVALID_ARGUMENT",
      message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    },
    "context_length",
  ],
  [400, { status: "INVALID_ARGUMENT", message: "Request payload size exceeds the limit: 20971520 bytes." }, "context_length"],
  [
    400,
    { status: "INVALID_ARGUMENT", message: "Budget 0 is invalid. This model only works in thinking mode." },
    "unsupported_param",
  ],
  [400, { status: "INVALID_ARGUMENT", message: "Thinking level MINIMAL is not supported for this model." }, "unsupported_param"],
  [400, { status: "INVALID_ARGUMENT", message: "Please ensure that single turn requests end with a user role." }, "bad_request"],
  [400, { status: "FAILED_PRECONDITION", message: "User location is not supported for the API use." }, "auth"],
  [400, { status: "FAILED_PRECONDITION", message: "Project `p` is not allowed to use Publisher Model `m`" }, "model_gone"],
  [400, { status: "INVALID_ARGUMENT", message: "Penalty is not enabled for models/m" }, "unsupported_param"],
  [499, { status: "CANCELLED", message: "The operation was cancelled." }, "server"],
  [503, { status: "UNAVAILABLE", message: "overloaded" }, "overloaded"],
  [500, { status: "INTERNAL", message: "oops" }, "server"],
];
for (const [status, error, kind] of kinds) {
  test(`status ${status} ${JSON.stringify(error).slice(0, 90)} is ${kind}`, () => {
    expect(errorOf(status, error).kind).toBe(kind as never);
  });
}
