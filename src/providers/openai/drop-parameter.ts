/** Rewrites a request of this format without what its vendor refused. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import { withForeignSignatures } from "./foreign-signatures.ts";
import { lowerBound, numberIn, OUTPUT_BOUND } from "./output-limit.ts";
import {
  REASONING_BESIDE_TOOLS,
  SIGNATURES,
  STREAM_ONLY,
  THINKING_UNSTREAMED,
  THOUGHTS,
  TOOL_DESCRIPTIONS,
} from "./refused-parameter.ts";
import { inTemplateOrder, ORDER, SYSTEM_ROLE, withoutSystem } from "./template-order.ts";

/** If the format cannot be enforced, the prompt asks for it. */
const askForFormat = (body: WireBody, format: WireBody): void => {
  const schema = recordAt(format, "json_schema")["schema"];
  const messages = body["messages"] as WireBody[];
  if (!isRecord(schema)) return;
  const role = messages.some((message) => message["role"] === "developer") ? "developer" : "system";
  body["messages"] = [{ role, content: jsonInstruction({ type: "schema", schema }) }, ...messages];
};

/** `param`: with the most characters that a description may have. */
export const shortenDescription =
  (param: string) =>
  (tool: WireBody): WireBody => {
    const most = numberIn(param);
    const description = textAt(tool, "description");
    if (description.length <= most) return tool;
    // Half of a surrogate pair would make the request invalid.
    const kept = description.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "");
    return { ...tool, description: `${kept}…` };
  };

type Change = (body: WireBody, param: string) => void;

const inMessages =
  (change: (messages: WireBody[]) => WireBody[]): Change =>
  (body) => {
    body["messages"] = change(body["messages"] as WireBody[]);
  };

/** Refusals that are met in another way than by leaving out a field, by the parameter or its first name. */
const CHANGES: ReadonlyMap<string, Change> = new Map<string, Change>([
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
  // The stream is then collected into the whole answer.
  [STREAM_ONLY, (body) => Object.assign(body, { stream: true, stream_options: { include_usage: true } })],
  [
    TOOL_DESCRIPTIONS,
    (body, param) => {
      const shorten = shortenDescription(param);
      const shortened = (tool: WireBody) => ({ ...tool, function: shorten(recordAt(tool, "function")) });
      if (body["tools"]) body["tools"] = recordsAt(body, "tools").map(shortened);
    },
  ],
  [SIGNATURES, inMessages(withForeignSignatures)],
  [ORDER, inMessages(inTemplateOrder)],
  [SYSTEM_ROLE, inMessages(withoutSystem)],
  [
    "messages",
    inMessages((messages) =>
      messages.map((message) => (message["role"] === "system" ? { ...message, role: "developer" } : message)),
    ),
  ],
  ["name", inMessages((messages) => messages.map(({ name: _, ...message }) => message))],
]);

/** The bound of the output must not be lost: it has two names, and some models refuse one of them. */
export const dropOpenAiParameter = (body: WireBody, param: string): void => {
  const name = param.split(/[.[]/, 1)[0]!;
  const change = CHANGES.get(param) ?? CHANGES.get(name);
  if (change) {
    change(body, param);
    return;
  }
  const value = body[name];
  delete body[name];
  if (name === "stream") delete body["stream_options"];
  if (name === "response_format" && isRecord(value)) askForFormat(body, value);
  if (name === "max_tokens") body["max_completion_tokens"] = value;
  if (name === "max_completion_tokens") body["max_tokens"] = value;
};
