/** Rewrites a request of this format without what its vendor refused. Refusals are learned under the field names of chat completions. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt } from "../../lib/json-at.ts";
import { ownValue } from "../../lib/own-value.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import { shortenDescription } from "../openai/drop-parameter.ts";
import { lowerBound, OUTPUT_BOUND } from "../openai/output-limit.ts";
import { REASONING_BESIDE_TOOLS, STREAM_ONLY, THOUGHTS, TOOL_DESCRIPTIONS } from "../openai/refused-parameter.ts";

/** The name under which a refusal of `phase` on past answers is learned. */
export const PHASE = "phase";

const FIELDS: Record<string, string> = { reasoning_effort: "reasoning", response_format: "text" };

type Change = (body: WireBody, param: string) => void;

const inInput =
  (change: (items: WireBody[]) => WireBody[]): Change =>
  (body) => {
    body["input"] = change(body["input"] as WireBody[]);
  };

/** Refusals that are met in another way than by leaving out a field, by the parameter or its first name. */
const CHANGES: ReadonlyMap<string, Change> = new Map<string, Change>([
  [OUTPUT_BOUND, (body, param) => lowerBound(body, param, ["max_output_tokens"])],
  // This format has no such rule.
  [REASONING_BESIDE_TOOLS, () => undefined],
  // The stream is then collected into the whole answer.
  [STREAM_ONLY, (body) => Object.assign(body, { stream: true })],
  [THOUGHTS, inInput((items) => items.filter(({ type }) => type !== "reasoning"))],
  [PHASE, inInput((items) => items.map(({ phase: _, ...item }) => item))],
  [
    TOOL_DESCRIPTIONS,
    (body, param) => {
      if (body["tools"]) body["tools"] = recordsAt(body, "tools").map(shortenDescription(param));
    },
  ],
  ["messages", inInput((items) => items.map((item) => (item["role"] === "system" ? { ...item, role: "developer" } : item)))],
]);

export const dropResponsesParameter = (body: WireBody, param: string): void => {
  const name = param.split(/[.[]/, 1)[0]!;
  const change = CHANGES.get(param) ?? CHANGES.get(name);
  if (change) {
    change(body, param);
    return;
  }
  const schema = recordAt(body, "text", "format")["schema"];
  delete body[ownValue(FIELDS, name) ?? name];
  if (name !== "response_format" || !isRecord(schema)) return;
  // If the format cannot be enforced, the prompt asks for it.
  const instruction = { role: "developer", content: jsonInstruction({ type: "schema", schema }) };
  inInput((items) => [instruction, ...items])(body, param);
};
