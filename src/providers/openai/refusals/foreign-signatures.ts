/**
 * Gemini behind a server of this format (OpenRouter, Google's own) refuses past calls without a thought signature. The format has no field
 * for it, so vendors added two; both get the placeholder for unknown signatures.
 */

import { recordsAt, textAt } from "../../../lib/json-at.ts";
import type { WireBody } from "../../dialect/wire-dialect.ts";
import { FOREIGN_SIGNATURE } from "../../google/build-contents.ts";

/** "Function call is missing a thought_signature in functionCall parts", with or without another server's words around it. */
export const asksForSignatures = (message: string): boolean => /thought[ _]signature/i.test(message.slice(0, 1_000));

/** Of parallel calls only the first has one. */
export const withForeignSignatures = (messages: readonly WireBody[]): WireBody[] =>
  messages.map((message) => {
    const [first, ...others] = recordsAt(message, "tool_calls");
    if (first === undefined) return message;
    const detail = { type: "reasoning.encrypted", format: "google-gemini-v1", id: textAt(first, "id"), index: 0 };
    return {
      ...message,
      tool_calls: [{ ...first, extra_content: { google: { thought_signature: FOREIGN_SIGNATURE } } }, ...others],
      reasoning_details: [{ ...detail, data: FOREIGN_SIGNATURE }],
    };
  });
