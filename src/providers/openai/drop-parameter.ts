/** Rewrites a request of this format without what its vendor refused. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt } from "../../lib/json-at.ts";
import { type Change, dropBy, firstName, inList } from "../dialect/change-request.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import { lowerBound, OUTPUT_BOUND } from "../dialect/output-limit.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import { withForeignSignatures, withMissingSignatures } from "./gemini-signatures.ts";
import {
  inTemplateOrder,
  withAnswersBetween,
  withoutEmpty,
  withoutSystem,
  withShortIds,
  withUserLast,
} from "./order-messages.ts";
import type { RefusedPart } from "./refusals/refused-in-words.ts";
import { systemAsDeveloper, toolChanges } from "./refusals/shared-changes.ts";

/** If the format cannot be enforced, the prompt asks for it. */
const askForFormat = (body: WireBody, format: WireBody): void => {
  const schema = recordAt(format, "json_schema")["schema"];
  const messages = body["messages"] as WireBody[];
  if (!isRecord(schema)) return;
  const role = messages.some((message) => message["role"] === "developer") ? "developer" : "system";
  body["messages"] = [{ role, content: jsonInstruction({ type: "schema", schema }) }, ...messages];
};

const dropFormat =
  (type: string): Change =>
  (body) => {
    if (recordAt(body, "response_format")["type"] === type) leaveOut(body, "response_format");
  };

/** Without this member. */
const messagesWithout = (name: string): Change =>
  inList("messages", (messages) => messages.map(({ [name]: _, ...message }) => message));

/** How each part is met that has no field of its name. */
const PARTS: Readonly<Record<RefusedPart, Change>> = {
  ...toolChanges(
    (change) =>
      inList("tools", (tools, param) => tools.map((tool) => ({ ...tool, function: change(recordAt(tool, "function"), param) }))),
    dropFormat("json_schema"),
  ),
  "response_format.json_object": dropFormat("json_object"),
  "response_format.json_schema": dropFormat("json_schema"),
  "messages.order": inList("messages", inTemplateOrder),
  "messages.system": inList("messages", withoutSystem),
  "messages.last": inList("messages", withUserLast),
  "messages.empty": inList("messages", withoutEmpty),
  "messages.after_results": inList("messages", withAnswersBetween),
  "messages.call_ids": inList("messages", withShortIds),
  "messages.signatures.missing": inList("messages", withMissingSignatures),
  "messages.signatures.wrong": inList("messages", withForeignSignatures),
  "messages.plain_thoughts": messagesWithout("reasoning_content"),
  "messages.reasoning_content": (body) => {
    body["thinking"] = { type: "disabled" };
    delete body["reasoning_effort"];
  },
  "thinking.off": (body) => {
    for (const name of ["thinking", "enable_thinking", "chat_template_kwargs"]) delete body[name];
    if (body["reasoning_effort"] === "none") body["reasoning_effort"] = "low";
  },
  "enable_thinking.unstreamed": (body) => {
    if (!body["stream"]) body["enable_thinking"] = false;
  },
  "reasoning_effort beside tools": (body) => {
    if (body["tools"]) body["reasoning_effort"] = "none";
  },
  // The stream is then collected into the whole answer.
  "whole answers": (body) => Object.assign(body, { stream: true, stream_options: { include_usage: true } }),
  [OUTPUT_BOUND]: (body, param) => lowerBound(body, param, ["max_tokens", "max_completion_tokens"]),
};

/** Fields with which others go, or of which a part can stay. */
const FIELDS: Readonly<Record<string, Change>> = {
  messages: inList("messages", systemAsDeveloper),
  name: messagesWithout("name"),
  enable_thinking: (body) => {
    delete body["enable_thinking"];
    delete body["chat_template_kwargs"];
  },
  // Google's name for both.
  penalty: (body) => {
    delete body["presence_penalty"];
    delete body["frequency_penalty"];
  },
};

/** The bound of the output must not be lost: it has two names, and some models refuse one of them. */
const leaveOut: Change = (body, param) => {
  const name = firstName(param);
  const value = body[name];
  delete body[name];
  if (name === "stream") delete body["stream_options"];
  if (name === "response_format" && isRecord(value)) askForFormat(body, value);
  if (name === "max_tokens") body["max_completion_tokens"] = value;
  if (name === "max_completion_tokens") body["max_tokens"] = value;
};

export const dropOpenAiParameter = dropBy({ ...PARTS, ...FIELDS }, leaveOut);
