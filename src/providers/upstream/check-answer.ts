/** Rejects responses that are not an API's answer: errors, redirects, login and block pages. */

import { jsonOf } from "../../lib/is-json.ts";
import { UpstreamError } from "../upstream-error.ts";
import { type OpenCall, readBounded } from "./open-call.ts";
import { kindOfStatus, upstreamError } from "./upstream-failure.ts";
import type { UpstreamRequest } from "./upstream-request.ts";

const MAX_ERROR_BYTES = 64 * 1024;

/** Some providers repeat the key they refuse. Any header value long enough to be a secret is removed. */
const withoutSecrets = (text: string, headers: Record<string, string>): string => {
  let clean = text;
  for (const value of Object.values(headers)) {
    const secret = value.replace(/^(?:Bearer|Key) /, "");
    if (secret.length >= 8) clean = clean.replaceAll(secret, "[key]");
  }
  return clean;
};

const readErrorAnswer = async (call: OpenCall, request: UpstreamRequest): Promise<UpstreamError> => {
  const { status, headers } = call.head();
  const body = await readBounded(call, MAX_ERROR_BYTES, "cut", request.provider).catch(() => new Uint8Array());
  const text = withoutSecrets(new TextDecoder().decode(body), request.headers);
  const failure = {
    provider: request.provider,
    status,
    headers,
    body: jsonOf(text) ?? text,
  };
  return request.mapError?.(failure) ?? upstreamError(failure, { kind: kindOfStatus(status) });
};

/** Throws UpstreamError. Redirects are not followed, so that no other host gets the key. */
export const checkAnswer = async (call: OpenCall, request: UpstreamRequest): Promise<void> => {
  const { status, headers } = call.head();
  if (status >= 300 && status < 400) {
    throw new UpstreamError("server", `${request.provider} answered with a redirect, which is not followed.`, { status });
  }
  if (status >= 400) throw await readErrorAnswer(call, request);
  if (/^text\/html/i.test(headers.get("content-type") ?? "")) {
    throw new UpstreamError("server", `${request.provider} answered with a web page instead of an API answer.`, { status });
  }
};
