import { expect, test } from "bun:test";
import { mediaError } from "../../../src/providers/media/media-error.ts";

const errorOf = (status: number, body: unknown) => mediaError({ provider: "Vendor", status, headers: new Headers(), body });

test("a limit of the minute is none of the account, whatever the vendor says of billing beside it", () => {
  const gemini = errorOf(429, {
    error: {
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      message: "You exceeded your current quota, please check your plan and billing details.",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "26.66s" }],
    },
  });
  expect([gemini.kind, gemini.details.retryAfterMs]).toEqual(["rate_limit", 26_660]);
});

test("each refusal is told by what it says, in each vendor's form", () => {
  for (const [status, body, kind] of [
    [400, { error: { code: "billing_hard_limit_reached", message: "Billing hard limit has been reached" } }, "billing"],
    [
      400,
      { error: { status: "INVALID_ARGUMENT", message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] } },
      "auth",
    ],
    [400, { detail: "Insufficient credits" }, "billing"],
    [400, { error: "You do not have enough credits to run this task." }, "billing"],
    [403, { detail: "User is locked. Reason: Exhausted balance. Top up at fal.ai/dashboard/billing." }, "billing"],
    [432, { detail: { error: "This request exceeds your plan's set usage limit." } }, "billing"],
    [400, { error: { code: "moderation_blocked", message: "Your request was rejected." } }, "content_filter"],
    [403, { id: "1", name: "content_moderation", errors: ["flagged"] }, "content_filter"],
    [
      400,
      { error: { code: 400, status: "INVALID_ARGUMENT", message: "This prompt violates Google's Responsible AI practices." } },
      "content_filter",
    ],
    [422, { detail: [{ type: "content_policy_violation", msg: "Flagged by a content checker.", input: "x" }] }, "content_filter"],
    [
      422,
      { detail: [{ type: "literal_error", msg: "Input should be '720p'", input: "a poster against nsfw content" }] },
      "bad_request",
    ],
    [400, { code: "DataInspectionFailed", message: "Green net check failed for output" }, "content_filter"],
    [400, { error: { code: "OutputImageSensitiveContentDetected", message: "The request failed." } }, "content_filter"],
    [413, "too large", "bad_request"],
    [
      400,
      { error: { code: "unsupported_parameter", param: "quality", message: "Unsupported parameter: quality" } },
      "bad_request",
    ],
    [404, { error: "not found" }, "model_gone"],
    [500, "oops", "server"],
  ] as const)
    expect([status, body, errorOf(status, body).kind]).toEqual([status, body, kind]);
});
