/** Rewrites a request of this format without what its vendor refused. Refusals are learned under the field names of chat completions. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { type Change, dropBy, firstName, inList } from "../dialect/change-request.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import { toNarrowParameters } from "../dialect/narrow-parameters.ts";
import { lowerBound, OUTPUT_BOUND } from "../dialect/output-limit.ts";
import {
  NAMED_TOOL,
  REASONING_BESIDE_TOOLS,
  STREAM_ONLY,
  STRICT_TOOLS,
  THOUGHTS,
  TOOL_DESCRIPTIONS,
  UNTHINKING,
} from "../openai/refusals/refused-parameter.ts";
import { ANY_SCHEMA, GRAMMARS, SCHEMA, TOOL_PARAMETERS } from "../openai/refusals/refused-schema.ts";
import { forceAlone, shortenDescription, systemAsDeveloper } from "../openai/refusals/shared-changes.ts";
import { messageItem } from "./message-item.ts";

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

const narrowTools = inList("tools", (tools) =>
  tools.map((tool) =>
    tool["type"] === "function" ? { ...tool, strict: false, parameters: toNarrowParameters(recordAt(tool, "parameters")) } : tool,
  ),
);

const loosenTools = inList("tools", (tools) => tools.map((tool) => ({ ...tool, strict: false })));

const dropSchema = (body: Record<string, unknown>): void => {
  if (recordAt(body, "text", "format")["schema"]) leaveOut(body, "response_format");
};

/** Refusals that are met in another way than by leaving out a field. */
const CHANGES: ReadonlyMap<string, Change> = new Map<string, Change>([
  [OUTPUT_BOUND, (body, param) => lowerBound(body, param, ["max_output_tokens"])],
  // This format has no such rule.
  [REASONING_BESIDE_TOOLS, () => undefined],
  [
    UNTHINKING,
    (body) => {
      if (recordAt(body, "reasoning")["effort"] === "none") body["reasoning"] = { ...recordAt(body, "reasoning"), effort: "low" };
    },
  ],
  [NAMED_TOOL, forceAlone],
  // The stream is then collected into the whole answer.
  [STREAM_ONLY, (body) => Object.assign(body, { stream: true })],
  [THOUGHTS, inList("input", (items) => items.filter(({ type }) => type !== "reasoning"))],
  [PHASE, inList("input", (items) => items.map(({ phase: _, ...item }) => item))],
  [TOOL_DESCRIPTIONS, inList("tools", (tools, param) => tools.map((tool) => shortenDescription(tool, param)))],
  [TOOL_PARAMETERS, narrowTools],
  [SCHEMA, narrowTools],
  [STRICT_TOOLS, loosenTools],
  [
    ANY_SCHEMA,
    (body, param) => {
      narrowTools(body, param);
      dropSchema(body);
    },
  ],
  [
    GRAMMARS,
    (body, param) => {
      loosenTools(body, param);
      dropSchema(body);
    },
  ],
  [SUMMARY, without("reasoning", "summary")],
  ["verbosity", without("text", "verbosity")],
  ["messages", inList("input", systemAsDeveloper)],
]);

const leaveOut: Change = (body, param) => {
  const name = firstName(param);
  const schema = recordAt(body, "text", "format")["schema"];
  delete body[ownValue(FIELDS, name) ?? name];
  if (name !== "response_format" || !isRecord(schema)) return;
  // If the format cannot be enforced, the prompt asks for it.
  const instruction = messageItem("developer", jsonInstruction({ type: "schema", schema }));
  inList("input", (items) => [instruction, ...items])(body, param);
};

export const dropResponsesParameter = dropBy(CHANGES, leaveOut);
