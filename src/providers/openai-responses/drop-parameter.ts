/** Rewrites a request of this format without what its vendor refused. Refusals are learned under the field names of chat completions. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { type Change, dropBy, firstName, inList } from "../dialect/change-request.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import { lowerBound, OUTPUT_BOUND } from "../dialect/output-limit.ts";
import type { RefusedPart } from "../openai/refusals/refused-in-words.ts";
import { systemAsDeveloper, toolChanges } from "../openai/refusals/shared-changes.ts";
import { messageItem } from "./build-request.ts";

/** The name under which a refusal of `phase` on past answers is learned. */
export const PHASE = "phase";

/** The name under which a refusal to tell of the thinking is learned; OpenAI tells verified organizations only. */
export const SUMMARY = "summary of reasoning";

const FIELDS: Record<string, string> = { reasoning_effort: "reasoning", response_format: "text" };

const without =
  (name: string, member: string): Change =>
  (body) => {
    if (isRecord(body[name])) delete body[name][member];
  };

/** How each part is met that has no field of its name; chat completions have more of them. */
const PARTS: Readonly<Partial<Record<RefusedPart, Change>>> = {
  // `strict` is on by default.
  ...toolChanges(
    (change) => inList("tools", (tools, param) => tools.map((tool) => ({ strict: false, ...change(tool, param) }))),
    (body) => {
      if (recordAt(body, "text", "format")["schema"]) leaveOut(body, "response_format");
    },
  ),
  [OUTPUT_BOUND]: (body, param) => lowerBound(body, param, ["max_output_tokens"]),
  // This format has no such rule.
  "reasoning_effort beside tools": () => undefined,
  "thinking.off": (body) => {
    const reasoning = recordAt(body, "reasoning");
    if (reasoning["effort"] === "none") body["reasoning"] = { ...reasoning, effort: "low" };
  },
  // The stream is then collected into the whole answer.
  "whole answers": (body) => Object.assign(body, { stream: true }),
  "messages.reasoning_content": inList("input", (items) => items.filter(({ type }) => type !== "reasoning")),
};

const MEMBERS: Readonly<Record<string, Change>> = {
  [PHASE]: inList("input", (items) => items.map(({ phase: _, ...item }) => item)),
  [SUMMARY]: without("reasoning", "summary"),
  verbosity: without("text", "verbosity"),
  messages: inList("input", systemAsDeveloper),
};

const leaveOut: Change = (body, param) => {
  const name = firstName(param);
  const schema = recordAt(body, "text", "format")["schema"];
  delete body[ownValue(FIELDS, name) ?? name];
  if (name !== "response_format" || !isRecord(schema)) return;
  // If the format cannot be enforced, the prompt asks for it.
  const instruction = messageItem("developer", jsonInstruction({ type: "schema", schema }));
  inList("input", (items) => [instruction, ...items])(body, param);
};

export const dropResponsesParameter = dropBy({ ...PARTS, ...MEMBERS }, leaveOut);
