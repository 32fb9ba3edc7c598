/** Rewrites a request to Ollama without what was refused. */

import { isRecord } from "../../lib/is-record.ts";
import { recordsAt } from "../../lib/json-at.ts";
import { jsonInstruction } from "../dialect/message-parts.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";

export const dropOllamaParameter = (body: WireBody, param: string): void => {
  const value = body[param];
  delete body[param];
  if (param !== "format" || !isRecord(value)) return;
  // If the format cannot be enforced, the prompt asks for it.
  const instruction = { role: "system", content: jsonInstruction({ type: "schema", schema: value }) };
  body["messages"] = [instruction, ...recordsAt(body, "messages")];
};
