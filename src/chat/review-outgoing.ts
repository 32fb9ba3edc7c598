/** A provider's events as they may leave: text through the stream review, tool arguments held until they can be reviewed whole. */

import { type ContentEvaluation, mergeEvaluations } from "../policies/content-evaluation.ts";
import type { ContentRules } from "../policies/content-rules.ts";
import { reviewJsonText } from "../policies/review-json.ts";
import { createStreamReview } from "../policies/review-stream.ts";
import type { ChatEvent } from "../providers/provider.ts";
import type { StreamPart } from "./stream-answer.ts";

export type Outgoing = {
  /** What may be sent after this event; often nothing or one part. */
  push(event: ChatEvent): StreamPart[];
  /** The rest, once the answer is complete. */
  end(): StreamPart[];
  /** A policy stopped it: nothing leaves any more. */
  blocked(): boolean;
  hasSent(): boolean;
  /** At most its first million characters. */
  sentText(): string;
  evaluation(): ContentEvaluation | undefined;
};

/** Of one answer, for the log and the checks; more than any model's largest output. */
export const KEPT_CHARACTERS = 1_000_000;

const NOTHING: StreamPart[] = [];

export const createOutgoing = (rules: ContentRules | undefined): Outgoing =>
  rules === undefined ? passThrough() : reviewed(rules);

/** Without policies every event passes as it is. */
const passThrough = (): Outgoing => {
  let sent = false;
  let text = "";
  return {
    push: (event) => {
      switch (event.type) {
        case "text":
        case "refusal":
          if (event.text === "") return NOTHING;
          sent = true;
          if (text.length < KEPT_CHARACTERS) text += event.text;
          return [{ type: "text", text: event.text }];
        case "tool-start":
        case "tool-arguments":
          sent = true;
          return [event];
        default:
          return NOTHING;
      }
    },
    end: () => NOTHING,
    blocked: () => false,
    hasSent: () => sent,
    sentText: () => text,
    evaluation: () => undefined,
  };
};

const reviewed = (rules: ContentRules): Outgoing => {
  const review = createStreamReview(rules);
  const calls: { id: string; name: string; arguments: string }[] = [];
  const evaluations: ContentEvaluation[] = [];
  let sent = "";
  let hasSent = false;
  let callBlocked = false;
  const textPart = (text: string): StreamPart[] => {
    if (text === "") return NOTHING;
    if (sent.length < KEPT_CHARACTERS) sent += text;
    hasSent = true;
    return [{ type: "text", text }];
  };
  return {
    push: (event) => {
      switch (event.type) {
        case "text":
        case "refusal":
          return textPart(review.push(event.text));
        case "tool-start":
          calls[event.index] = { id: event.id, name: event.name, arguments: "" };
          return NOTHING;
        case "tool-arguments":
          calls[event.index]!.arguments += event.text;
          return NOTHING;
        default:
          return NOTHING;
      }
    },
    end: () => {
      const parts = [...textPart(review.end())];
      for (const [index, call] of calls.entries()) {
        const verdict = reviewJsonText(rules, call.arguments);
        evaluations.push(verdict.evaluation);
        callBlocked ||= verdict.blocked;
        if (review.blocked() || callBlocked) break;
        hasSent = true;
        parts.push(
          { type: "tool-start", index, id: call.id, name: call.name },
          { type: "tool-arguments", index, text: verdict.text },
        );
      }
      return parts;
    },
    blocked: () => review.blocked() || callBlocked,
    hasSent: () => hasSent,
    sentText: () => sent,
    evaluation: () => mergeEvaluations(review.evaluation(), ...evaluations),
  };
};
