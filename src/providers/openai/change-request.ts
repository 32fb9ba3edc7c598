/** How a request in one of OpenAI's two formats is changed after a refusal: what both formats share. */

import { recordsAt, textAt } from "../../lib/json-at.ts";
import type { WireBody } from "../dialect/wire-dialect.ts";
import { numberIn } from "./output-limit.ts";

export type Change = (body: WireBody, param: string) => void;

/**
 * Finds the change for a refused parameter by its whole name or its first one (`messages` for `messages[0].role`). If there is none,
 * `leaveOut` gets the first name.
 */
export const dropBy =
  (changes: ReadonlyMap<string, Change>, leaveOut: Change): Change =>
  (body, param) => {
    const name = param.split(/[.[]/, 1)[0]!;
    const change = changes.get(param) ?? changes.get(name);
    if (change) change(body, param);
    else leaveOut(body, name);
  };

/** Changes the list in a field, if the request has that field. */
export const inList =
  (field: string, change: (items: WireBody[], param: string) => WireBody[]): Change =>
  (body, param) => {
    if (body[field]) body[field] = change(recordsAt(body, field), param);
  };

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
