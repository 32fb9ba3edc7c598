/** Rejects responses that are not an API's answer: errors, redirects, login and block pages. */

import { jsonOf } from "../../lib/is-json.ts";
import { faultOf, UpstreamError } from "../upstream-error.ts";
import { type OpenCall, readBounded } from "./open-call.ts";
import { faultWords } from "./refusal-phrases.ts";
import { type Failure, kindOfStatus, upstreamError } from "./upstream-failure.ts";
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

/** Statuses that blame the request, of which the error may quote something. */
const BLAMES_REQUEST = [400, 412, 422];

const textIn = (body: UpstreamRequest["body"]): string => {
  if (!(body instanceof FormData)) return typeof body === "string" ? body : "";
  return JSON.stringify([...body.values()].filter((value) => typeof value === "string"));
};

/**
 * Servers quote names of properties, addresses of pictures and the like. Where such a quotation is all that speaks of the account or the
 * model, a caller could shut the provider out for everybody by it.
 */
const isEcho = ({ status, body: said }: Failure, { body }: UpstreamRequest): boolean => {
  if (!BLAMES_REQUEST.includes(status)) return false;
  const words = faultWords(typeof said === "string" ? said : JSON.stringify(said));
  const asked = words.length > 0 ? textIn(body) : "";
  return words.length > 0 && words.every((each) => asked.includes(each));
};

/** Google says of a private video what it says of a key without rights. */
const isOfFile = ({ status }: Failure, { body }: UpstreamRequest): boolean =>
  status === 403 && textIn(body).includes('"fileUri":');

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
  const error = request.mapError?.(failure) ?? upstreamError(failure, { kind: kindOfStatus(status) });
  const isDoubtful = faultOf(error.kind) !== "request" && (isEcho(failure, request) || isOfFile(failure, request));
  return isDoubtful ? new UpstreamError(error.kind, error.message, { ...error.details, isDoubtful }) : error;
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
