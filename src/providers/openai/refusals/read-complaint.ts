/** What an error says, wherever its vendor put it: under `error`, bare, in `detail`, or within the error of a proxy. */

import { jsonOf } from "../../../lib/is-json.ts";
import { isRecord } from "../../../lib/is-record.ts";
import { textAt, valueAt } from "../../../lib/json-at.ts";
import { errorMemberOf, type Failure } from "../../upstream/upstream-failure.ts";
import type { Complaint } from "./refused-parameter.ts";

type Fields = Complaint & { type: string; status: number };

/** The error of the provider behind OpenRouter, whose own message is only "Provider returned error". */
export const rawIn = (body: unknown): string => textAt(errorMemberOf(body), "metadata", "raw");

/** LiteLLM's own words before its vendor's error, which others follow (`. Received Model Group=…`). */
const OF_LITELLM = /^litellm\.\w{1,60}: .{0,200}?Exception\b.{0,60}? - /s;
const AFTERWARDS = "Received Model Group=";

/** What LiteLLM says before its vendor's error; nothing where the error is its own. */
const relayIn = (body: unknown): string => OF_LITELLM.exec(textAt(errorMemberOf(body), "message").slice(0, 500))?.[0] ?? "";

/** Whether the error is that of a vendor behind the server that was asked. */
export const isRelayed = (body: unknown): boolean => rawIn(body) !== "" || relayIn(body) !== "";

/** What a vendor behind LiteLLM answered, as if it had been asked itself. */
export const behindLiteLlm = (failure: Failure): Failure => {
  const relay = relayIn(failure.body);
  if (relay === "") return failure;
  const [said = ""] = textAt(errorMemberOf(failure.body), "message").slice(relay.length).split(AFTERWARDS, 1);
  const body = jsonOf(said.slice(0, said.lastIndexOf(said.startsWith("{") ? "}" : "]") + 1));
  return errorMemberOf(body) === undefined ? failure : { ...failure, body };
};

/** Proxies put the status of their own upstream there, also as text. */
const statusIn = (code: unknown): number => {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : 0;
};

/** OpenRouter calls OpenAI's models by the Responses API. */
const chatName = (param: string): string => (param.startsWith("reasoning.") ? "reasoning_effort" : param);

/** Cerebras names what went wrong in place of the parameter. */
const paramIn = (param: string): string | undefined => (param === "" || param === "validation_error" ? undefined : param);

const statedIn = (body: unknown, status: number): Fields => {
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

/** The whole error of the vendor behind OpenRouter, if it is one in JSON. */
export const behindOpenRouter = ({ body }: Failure): unknown => jsonOf(rawIn(body));

export const complaintOf = ({ body, status }: Failure): Fields => {
  const stated = statedIn(body, status);
  const raw = rawIn(body);
  if (raw === "") return stated;
  const inner = errorMemberOf(jsonOf(raw));
  if (!isRecord(inner)) return { ...stated, message: `${stated.message}: ${raw}` };
  const { param, ...behind } = statedIn({ error: inner }, stated.status);
  return { ...behind, param: param && chatName(param) };
};
