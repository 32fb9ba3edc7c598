/** A provider's events as they may leave: text through the stream review, tool arguments held until they can be reviewed whole. */

import { mergeEvaluations } from "../../policies/content/content-evaluation.ts";
import type { ContentRules } from "../../policies/content/content-rules.ts";
import { createAnswerReview } from "../../policies/content/review-answer-stream.ts";
import { reviewJsonText } from "../../policies/content/review-json.ts";
import type { ContentEvaluation } from "../../policies/evaluation-schemas.ts";
import { type ChatEvent, isPlain, type ToolCall } from "../../providers/provider.ts";
import type { StreamPart } from "../response/outlet.ts";
import { createKeptText, type KeptText } from "./kept-text.ts";

export type Outgoing = {
  /** Appends to `parts` what may be sent after this event; often nothing or one part. */
  push(event: ChatEvent, parts: StreamPart[]): void;
  /** The rest, once the answer is complete. */
  end(): StreamPart[];
  /** A policy stopped it: nothing leaves any more. */
  blocked(): boolean;
  hasSent(): boolean;
  /** At most its first million characters. */
  sentText(): string;
  evaluation(): ContentEvaluation | undefined;
  /** The calls as they left; undefined where no policy changes any. */
  reviewedCalls(): ToolCall[] | undefined;
};

/** `received`: what the caller of `push` keeps of the text before any review. Thoughts leave where they are shown and no policy reviews. */
export const createOutgoing = (rules: ContentRules | undefined, received: KeptText, showsThoughts = false): Outgoing =>
  rules === undefined ? passThrough(received, showsThoughts) : reviewed(rules);

/** Without policies every event passes as it is: what was received is what was sent. */
const passThrough = (received: KeptText, showsThoughts: boolean): Outgoing => {
  let sent = false;
  return {
    push: (event, parts) => {
      switch (event.type) {
        case "text":
        case "refusal":
          if (event.text === "") return;
          sent = true;
          parts.push({ type: "text", text: event.text });
          return;
        case "thinking":
        case "thinking-end":
        case "thought":
          // Those that are plain text go with the calls after them.
          if (!showsThoughts && !(event.type === "thought" && isPlain(event.thought))) return;
          sent = true;
          parts.push(event);
          return;
        case "tool-start":
        case "tool-arguments":
          sent = true;
          parts.push(event);
      }
    },
    end: () => [],
    blocked: () => false,
    hasSent: () => sent,
    sentText: received.read,
    evaluation: () => undefined,
    reviewedCalls: () => undefined,
  };
};

const reviewed = (rules: ContentRules): Outgoing => {
  const review = createAnswerReview(rules);
  const calls: ToolCall[] = [];
  const sentCalls: ToolCall[] = [];
  const evaluations: ContentEvaluation[] = [];
  const sent = createKeptText();
  let hasSent = false;
  let callBlocked = false;
  const pushText = (text: string, parts: StreamPart[]): void => {
    if (text === "") return;
    sent.add(text);
    hasSent = true;
    parts.push({ type: "text", text });
  };
  return {
    push: (event, parts) => {
      switch (event.type) {
        case "text":
        case "refusal":
          pushText(review.push(event.text), parts);
          break;
        case "tool-start":
          calls[event.index] = { id: event.id, name: event.name, arguments: "" };
          break;
        case "tool-arguments":
          calls[event.index]!.arguments += event.text;
      }
    },
    end: () => {
      const rest = review.end();
      const reviewedCalls = calls.map((call) => ({ call, verdict: reviewJsonText(rules, call.arguments) }));
      evaluations.push(...reviewedCalls.map(({ verdict }) => verdict.evaluation));
      callBlocked = reviewedCalls.some(({ verdict }) => verdict.blocked);
      // One call that is stopped stops them all: half of what a model asked for is not what it asked for.
      if (review.blocked() || callBlocked) return [];
      const parts: StreamPart[] = [];
      pushText(rest, parts);
      for (const [index, { call, verdict }] of reviewedCalls.entries()) {
        hasSent = true;
        sentCalls.push({ ...call, arguments: verdict.text });
        parts.push(
          { type: "tool-start", index, id: call.id, name: call.name },
          { type: "tool-arguments", index, text: verdict.text },
        );
      }
      return parts;
    },
    blocked: () => review.blocked() || callBlocked,
    hasSent: () => hasSent,
    sentText: sent.read,
    evaluation: () => mergeEvaluations(review.evaluation(), ...evaluations),
    reviewedCalls: () => sentCalls,
  };
};
