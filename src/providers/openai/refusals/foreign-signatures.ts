/**
 * Gemini behind a server of this format (OpenRouter, Google's own) refuses past calls without a thought signature, and signatures that are
 * not its own. In their place it gets the placeholder for unknown ones, in both of the fields that servers have for it.
 */

import { recordsAt, textAt } from "../../../lib/json-at.ts";
import type { WireBody } from "../../dialect/wire-dialect.ts";
import { FOREIGN_SIGNATURE } from "../../google/build-contents.ts";
import { atCall, besideCalls } from "../gemini-signatures.ts";

/** Of parallel calls only the first has one. */
const withPlaceholder = (message: WireBody): WireBody => {
  const [first, ...others] = recordsAt(message, "tool_calls").map(({ extra_content: _, ...call }) => call);
  if (first === undefined) return message;
  return {
    ...message,
    tool_calls: [{ ...first, ...atCall(FOREIGN_SIGNATURE) }, ...others],
    reasoning_details: [besideCalls(textAt(first, "id"), FOREIGN_SIGNATURE)],
  };
};

const isSigned = (message: WireBody): boolean =>
  "reasoning_details" in message || recordsAt(message, "tool_calls").some((call) => "extra_content" in call);

export const withForeignSignatures = (messages: readonly WireBody[]): WireBody[] => messages.map(withPlaceholder);

export const withMissingSignatures = (messages: readonly WireBody[]): WireBody[] =>
  messages.map((message) => (isSigned(message) ? message : withPlaceholder(message)));
