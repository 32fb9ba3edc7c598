/** What an error says, wherever its vendor put it: under `error`, bare, in `detail`, or within the error of a proxy. */

import { jsonOf } from "../../../lib/is-json.ts";
import { isRecord } from "../../../lib/is-record.ts";
import { textAt, valueAt } from "../../../lib/json-at.ts";
import { errorMemberOf, type Failure } from "../../upstream/upstream-failure.ts";

export type Complaint = { message: string; code: string; type: string; param: string | undefined; status: number };

/** The error of the provider behind OpenRouter, whose own message is only "Provider returned error". */
export const rawIn = (body: unknown): string => textAt(errorMemberOf(body), "metadata", "raw");

/** LiteLLM's own words before its vendor's error, which others follow (`. Received Model Group=…`). */
const OF_LITELLM = /^litellm\.\w{1,60}: .{0,200}?Exception\b.{0,60}? - /s;
const AFTERWARDS = "Received Model Group=";

/** What LiteLLM says before its vendor's error; nothing where the error is its own. */
const relayIn = (body: unknown): string => OF_LITELLM.exec(textAt(errorMemberOf(body), "message").slice(0, 500))?.[0] ?? "";

/** Whether the error is that of a vendor behind the server that was asked. */
export const isRelayed = (body: unknown): boolean => rawIn(body) !== "" || relayIn(body) !== "";

/** Proxies put the status of their own upstream there, also as text. */
const statusIn = (code: unknown): number => {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : 0;
};

/** Cerebras names what went wrong in place of the parameter; OpenRouter calls OpenAI's models by the Responses API. */
const paramIn = (param: string): string | undefined => {
  if (param === "" || param === "validation_error") return undefined;
  return param.startsWith("reasoning.") ? "reasoning_effort" : param;
};

const statedIn = (body: unknown, status: number): Complaint => {
  const error = errorMemberOf(body) ?? body;
  if (!isRecord(error)) return { message: textAt(error), code: "", type: "", param: undefined, status };
  const code = error["code"] ?? valueAt(body, "code");
  return {
    message: textAt(error, "message") || JSON.stringify(error["detail"] ?? error["message"] ?? "").slice(0, 500),
    code: textAt(code),
    type: textAt(error, "type"),
    param: paramIn(textAt(error, "param")),
    status: status || statusIn(code),
  };
};

/** What the vendor behind a relay answered, if that is an error in JSON. */
const errorBehind = (body: unknown): unknown => {
  const raw = jsonOf(rawIn(body));
  const relay = relayIn(body);
  if (relay === "") return raw;
  const [said = ""] = textAt(errorMemberOf(body), "message").slice(relay.length).split(AFTERWARDS, 1);
  return jsonOf(said.slice(0, said.lastIndexOf(said.startsWith("{") ? "}" : "]") + 1));
};

/** The failure of the vendor behind a relay, as if it had been asked itself. */
export const behindRelay = (failure: Failure): Failure => {
  const body = errorBehind(failure.body);
  return errorMemberOf(body) === undefined ? failure : { ...failure, status: complaintOf(failure).status, body };
};

export const complaintOf = ({ body, status }: Failure): Complaint => {
  const stated = statedIn(body, status);
  const raw = rawIn(body);
  return raw === "" ? stated : { ...stated, message: `${stated.message}: ${raw}` };
};
