/** Rewrites a request of this format without what its vendor refused. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt } from "../../lib/json-at.ts";
import { type Change, dropBy, firstName, inList } from "../dialect/change-request.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import { toNarrowParameters } from "../dialect/narrow-parameters.ts";
import { lowerBound, OUTPUT_BOUND } from "../dialect/output-limit.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import {
  MISSING_SIGNATURES,
  WRONG_SIGNATURES,
  withForeignSignatures,
  withMissingSignatures,
} from "./refusals/foreign-signatures.ts";
import {
  NAMED_TOOL,
  ONLY_JSON,
  ONLY_SCHEMA,
  PLAIN_THOUGHTS,
  REASONING_BESIDE_TOOLS,
  STREAM_ONLY,
  STRICT_TOOLS,
  THINKING_UNSTREAMED,
  THOUGHTS,
  TOOL_DESCRIPTIONS,
  UNTHINKING,
} from "./refusals/refused-parameter.ts";
import { ANY_SCHEMA, GRAMMARS, SCHEMA, TOOL_PARAMETERS } from "./refusals/refused-schema.ts";
import { forceAlone, shortenDescription, systemAsDeveloper } from "./refusals/shared-changes.ts";
import {
  ANSWER_LAST,
  CALL_IDS,
  EMPTY_ANSWER,
  inTemplateOrder,
  ORDER,
  SYSTEM_ROLE,
  USER_AFTER_RESULTS,
  withAnswersBetween,
  withoutEmptyAnswers,
  withoutSystem,
  withShortIds,
  withUserLast,
} from "./refusals/template-order.ts";

/** If the format cannot be enforced, the prompt asks for it. */
const askForFormat = (body: WireBody, format: WireBody): void => {
  const schema = recordAt(format, "json_schema")["schema"];
  const messages = body["messages"] as WireBody[];
  if (!isRecord(schema)) return;
  const role = messages.some((message) => message["role"] === "developer") ? "developer" : "system";
  body["messages"] = [{ role, content: jsonInstruction({ type: "schema", schema }) }, ...messages];
};

const loosened = (tool: WireBody): WireBody => {
  const { strict: _, ...rest } = recordAt(tool, "function");
  return { ...tool, function: rest };
};

const dropFormat =
  (type: string): Change =>
  (body) => {
    if (recordAt(body, "response_format")["type"] === type) leaveOut(body, "response_format");
  };

const narrowTools = inList("tools", (tools) =>
  tools.map(loosened).map((tool) => {
    const named = recordAt(tool, "function");
    return { ...tool, function: { ...named, parameters: toNarrowParameters(recordAt(named, "parameters")) } };
  }),
);

const loosenTools = inList("tools", (tools) => tools.map(loosened));

/** Refusals that are met in another way than by leaving out a field. */
const CHANGES: ReadonlyMap<string, Change> = new Map<string, Change>([
  [ONLY_JSON, dropFormat("json_object")],
  [ONLY_SCHEMA, dropFormat("json_schema")],
  [OUTPUT_BOUND, (body, param) => lowerBound(body, param, ["max_tokens", "max_completion_tokens"])],
  [
    REASONING_BESIDE_TOOLS,
    (body) => {
      if (body["tools"]) body["reasoning_effort"] = "none";
    },
  ],
  [
    THOUGHTS,
    (body) => {
      body["thinking"] = { type: "disabled" };
      delete body["reasoning_effort"];
    },
  ],
  [
    THINKING_UNSTREAMED,
    (body) => {
      if (!body["stream"]) body["enable_thinking"] = false;
    },
  ],
  [
    "enable_thinking",
    (body) => {
      delete body["enable_thinking"];
      delete body["chat_template_kwargs"];
    },
  ],
  [
    UNTHINKING,
    (body) => {
      for (const name of ["thinking", "enable_thinking", "chat_template_kwargs"]) delete body[name];
      if (body["reasoning_effort"] === "none") body["reasoning_effort"] = "low";
    },
  ],
  [NAMED_TOOL, forceAlone],
  // The stream is then collected into the whole answer.
  [STREAM_ONLY, (body) => Object.assign(body, { stream: true, stream_options: { include_usage: true } })],
  [
    TOOL_DESCRIPTIONS,
    inList("tools", (tools, param) =>
      tools.map((tool) => ({ ...tool, function: shortenDescription(recordAt(tool, "function"), param) })),
    ),
  ],
  [TOOL_PARAMETERS, narrowTools],
  [SCHEMA, (body, param) => (body["tools"] ? narrowTools(body, param) : leaveOut(body, "response_format"))],
  [
    ANY_SCHEMA,
    (body, param) => {
      narrowTools(body, param);
      dropFormat("json_schema")(body, param);
    },
  ],
  [STRICT_TOOLS, loosenTools],
  [
    GRAMMARS,
    (body, param) => {
      loosenTools(body, param);
      dropFormat("json_schema")(body, param);
    },
  ],
  [PLAIN_THOUGHTS, inList("messages", (messages) => messages.map(({ reasoning_content: _, ...message }) => message))],
  [MISSING_SIGNATURES, inList("messages", withMissingSignatures)],
  [WRONG_SIGNATURES, inList("messages", withForeignSignatures)],
  [ORDER, inList("messages", inTemplateOrder)],
  [SYSTEM_ROLE, inList("messages", withoutSystem)],
  [ANSWER_LAST, inList("messages", withUserLast)],
  [EMPTY_ANSWER, inList("messages", withoutEmptyAnswers)],
  [USER_AFTER_RESULTS, inList("messages", withAnswersBetween)],
  [CALL_IDS, inList("messages", withShortIds)],
  // Google's name for both.
  [
    "penalty",
    (body) => {
      delete body["presence_penalty"];
      delete body["frequency_penalty"];
    },
  ],
  ["messages", inList("messages", systemAsDeveloper)],
  ["name", inList("messages", (messages) => messages.map(({ name: _, ...message }) => message))],
]);

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

export const dropOpenAiParameter = dropBy(CHANGES, leaveOut);
