/**
 * What Claude refuses behind servers of this format (LiteLLM, OpenRouter, Copilot, OpenCode Zen), which repeat its words. What is wrong with
 * a value, or with thinking in a request, says nothing of the next.
 */

import type { Refusal } from "../../upstream-error.ts";

/** With a forced tool, with a bound that leaves no room for it, or with past calls that came without it. */
const THINKING =
  /thinking may not be enabled|than [`'"]?thinking\.budget_tokens|thinking\.(?:enabled\.)?budget_tokens[`'"]?(?: must be less|: input should)|expected [`'"]?thinking[`'"]? or [`'"]?redacted_thinking|adaptive thinking is not supported/i;

const REFUSED: readonly (readonly [RegExp, Refusal])[] = [
  [/\btemperature[`'"]? is deprecated for this model/i, { param: "temperature" }],
  [/\btop_p[`'"]? is deprecated for this model/i, { param: "top_p" }],
  [/\btop_p[`'"]? (?:cannot both be|must be)/i, { param: "top_p", once: true }],
  [THINKING, { param: "reasoning_effort", once: true }],
  [/not support the effort parameter/i, { param: "reasoning_effort" }],
  [/\btool_choice: type .{1,30} not supported/i, { param: "tool_choice" }],
  [/\boutput_(?:config\.)?format: extra inputs/i, { param: "response_format" }],
];

/** A field of the request itself; what is within one has a path. */
const EXTRA = /(?<![.\w])([a-z_]{2,40}): extra inputs are not permitted/i;

export const refusedByClaude = (message: string): Refusal | undefined => {
  const text = message.slice(0, 700);
  const known = REFUSED.find(([words]) => words.test(text))?.[1];
  const extra = EXTRA.exec(text)?.[1];
  return known ?? (extra === undefined ? undefined : { param: extra });
};
