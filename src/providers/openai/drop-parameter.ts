/** Rewrites a request of this format without what its vendor refused. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt } from "../../lib/json-at.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import { withForeignSignatures } from "./foreign-signatures.ts";
import { REASONING_BESIDE_TOOLS, SIGNATURES, THINKING_UNSTREAMED, THOUGHTS } from "./refused-parameter.ts";
import { inTemplateOrder, ORDER, SYSTEM_ROLE, withoutSystem } from "./template-order.ts";

/** If the format cannot be enforced, the prompt asks for it. */
const askForFormat = (body: WireBody, format: WireBody): void => {
  const schema = recordAt(format, "json_schema")["schema"];
  const messages = body["messages"] as WireBody[];
  if (!isRecord(schema)) return;
  const role = messages.some((message) => message["role"] === "developer") ? "developer" : "system";
  body["messages"] = [{ role, content: jsonInstruction({ type: "schema", schema }) }, ...messages];
};

/** The output bound must survive: it has two names, and some models refuse one of them. */
export const dropOpenAiParameter = (body: WireBody, param: string): void => {
  if (param === REASONING_BESIDE_TOOLS) {
    if (body["tools"]) body["reasoning_effort"] = "none";
    return;
  }
  if (param === THOUGHTS) {
    body["thinking"] = { type: "disabled" };
    delete body["reasoning_effort"];
    return;
  }
  if (param === SIGNATURES) {
    body["messages"] = withForeignSignatures(body["messages"] as WireBody[]);
    return;
  }
  if (param === ORDER || param === SYSTEM_ROLE) {
    const reorder = param === ORDER ? inTemplateOrder : withoutSystem;
    body["messages"] = reorder(body["messages"] as WireBody[]);
    return;
  }
  if (param === THINKING_UNSTREAMED) {
    if (!body["stream"]) body["enable_thinking"] = false;
    return;
  }
  const name = param.split(/[.[]/, 1)[0]!;
  const value = body[name];
  if (name === "messages") {
    body["messages"] = (body["messages"] as WireBody[]).map((message) =>
      message["role"] === "system" ? { ...message, role: "developer" } : message,
    );
    return;
  }
  if (name === "name") {
    body["messages"] = (body["messages"] as WireBody[]).map(({ name: _, ...message }) => message);
    return;
  }
  delete body[name];
  if (name === "stream") delete body["stream_options"];
  if (name === "response_format" && isRecord(value)) askForFormat(body, value);
  if (name === "max_tokens") body["max_completion_tokens"] = value;
  if (name === "max_completion_tokens") body["max_tokens"] = value;
};
