/** The same refusal in each dialect's words: Anthropic's clients tell errors by status and type, and the two must agree. */

import { expect, test } from "bun:test";
import { ApiError, invalidApiKey, invalidRequest, permissionDenied, serviceUnavailable } from "../../src/api-error.ts";
import { asSyncFailure } from "../../src/database/unwritable.ts";
import { errorBody, errorResponse, refusalOf } from "../../src/http/error-envelope.ts";
import { contentBlocked, nothingFound } from "../../src/policies/content/content-evaluation.ts";

const ANTHROPIC_BY_STATUS: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  500: "api_error",
  503: "overloaded_error",
};

test("on /v1/messages the type fits the status", () => {
  const refusals = [
    invalidRequest("no", "model"),
    invalidApiKey(),
    permissionDenied("no"),
    contentBlocked(nothingFound("post_response")),
    new ApiError("content_policy_violation", "refused upstream"),
    new ApiError("policy_blocked", "no"),
    new ApiError("not_found", "no"),
    new ApiError("budget_exceeded", "no"),
    new ApiError("server_error", "no"),
    serviceUnavailable("no"),
  ];
  for (const refusal of refusals) {
    const body = errorBody(refusal, { path: "/v1/messages", requestId: "call_1" });
    expect(body).toMatchObject({ type: "error", error: { type: ANTHROPIC_BY_STATUS[refusal.status] }, request_id: "call_1" });
  }
});

test("on OpenAI's own paths a policy's refusal is an error of OpenAI's, with `param` and `code` in any case", () => {
  const paths = ["/v1/chat/completions", "/v1/responses", "/v1/responses/resp_1", "/v1/embeddings", "/v1/images/edits"];
  for (const path of [...paths, "/v1/audio/translations"]) {
    const body = errorBody(new ApiError("policy_blocked", "no"), { path, requestId: "call_1" });
    expect(body).toEqual({ error: { type: "policy_blocked", message: "no", param: null, code: null } });
  }
});

test("the time to wait is a whole number of seconds, the same in the body and the headers", async () => {
  for (const path of ["/v1/chat", "/v1/chat/completions", "/v1/messages"])
    for (const [seconds, told] of [
      [0, 1],
      [0.2, 1],
      [2.1, 3],
    ] as const) {
      const response = errorResponse(serviceUnavailable("no", seconds), { path, requestId: "call_1" });
      const { error } = (await response.json()) as { error: { retry_after: number } };
      const headers = ["retry-after", "retry-after-ms"].map((name) => Number(response.headers.get(name)));
      expect([error.retry_after, ...headers]).toEqual([told, told, 1_000 * told]);
    }
});

test("OpenAI's clients find OpenAI's own codes where a refusal has none, and nobody else does", () => {
  const codeOn = (path: string, error: ApiError) =>
    (errorBody(error, { path, requestId: "call_1" })["error"] as { code?: unknown }).code;
  const codes = [
    [invalidApiKey(), "invalid_api_key"],
    [new ApiError("rate_limit_exceeded", "no"), "rate_limit_exceeded"],
    [new ApiError("budget_exceeded", "no"), "insufficient_quota"],
    [new ApiError("content_policy_violation", "no"), "content_policy_violation"],
    [serviceUnavailable("no"), null],
    [new ApiError("not_found", "no", { code: "model_not_found" }), "model_not_found"],
  ] as const;
  for (const [error, code] of codes) {
    expect(codeOn("/v1/chat/completions", error)).toBe(code);
    expect(codeOn("/v1/chat", error)).toBe(error.options.code);
  }
});

test("a disk that cannot be written or synced is an outage, whatever else fails a fault of ours", () => {
  const failures = [
    Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" }),
    asSyncFailure(Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" })),
    new Error("no such column"),
    undefined,
  ];
  expect(failures.map((failure) => refusalOf(failure).status)).toEqual([503, 503, 500, 500]);
});
