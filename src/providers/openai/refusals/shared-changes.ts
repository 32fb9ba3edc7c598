/** Changes after a refusal that OpenAI's two formats share. */

import { recordsAt, textAt } from "../../../lib/json-at.ts";
import { type Change, numberIn } from "../../dialect/change-request.ts";
import type { WireBody } from "../../dialect/wire-dialect.ts";

export const systemAsDeveloper = (messages: readonly WireBody[]): WireBody[] =>
  messages.map((message) => (message["role"] === "system" ? { ...message, role: "developer" } : message));

/** `param` ends with the most characters that a description may have. */
export const shortenDescription = (described: WireBody, param: string): WireBody => {
  const most = numberIn(param);
  const description = textAt(described, "description");
  if (description.length <= most) return described;
  // Half of a surrogate pair would make the request invalid.
  const kept = description.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "");
  return { ...described, description: `${kept}…` };
};

const nameOf = (value: unknown): string => textAt(value, "function", "name") || textAt(value, "name");

/** For a server that forces a call in words alone: of the only tool that is left. */
export const forceAlone: Change = (body) => {
  const name = nameOf(body["tool_choice"]);
  const named = recordsAt(body, "tools").filter((tool) => nameOf(tool) === name);
  if (name !== "" && named.length > 0) Object.assign(body, { tools: named, tool_choice: "required" });
};
