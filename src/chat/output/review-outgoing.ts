/** A provider's events as they may be sent: text passes the stream review, tool arguments are held until they can be reviewed whole. */

import { mergeEvaluations } from "../../policies/content/content-evaluation.ts";
import type { ContentRules } from "../../policies/content/content-rules.ts";
import { createAnswerReview } from "../../policies/content/review-answer-stream.ts";
import { reviewJsonText } from "../../policies/content/review-json.ts";
import type { ContentEvaluation } from "../../policies/evaluation-schemas.ts";
import { type ChatEvent, isPlain, type ToolCall } from "../../providers/provider.ts";
import type { StreamPart } from "../response/outlet.ts";
import { createKeptText, type KeptText } from "./kept-text.ts";

export type Outgoing = {
  /** Appends to `parts` what may be sent after this event; usually nothing or one part. */
  push(event: ChatEvent, parts: StreamPart[]): void;
  /** Returns the rest once the answer is complete. */
  end(): StreamPart[];
  /** A policy blocked the answer; nothing more is sent. */
  blocked(): boolean;
  hasSent(): boolean;
  /** The first million characters of the text that was sent. */
  sentText(): string;
  evaluation(): ContentEvaluation | undefined;
  sentCalls(): ToolCall[];
};

/** What the caller of `push` collects from the same events, before any review. */
type Collected = { text: KeptText; toolCalls: ToolCall[] };

/** Thinking is sent if the API shows it and no policy reviews answers. */
export const createOutgoing = (rules: ContentRules | undefined, received: Collected, showsThoughts = false): Outgoing =>
  rules === undefined ? passThrough(received, showsThoughts) : reviewed(rules);

/** Without policies events pass unchanged, so what was received is what was sent. */
const passThrough = (received: Collected, showsThoughts: boolean): Outgoing => {
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
          // Thinking in plain text goes with the calls that follow it.
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
    sentText: received.text.read,
    evaluation: () => undefined,
    sentCalls: () => received.toolCalls,
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
      // One blocked call blocks them all: some of a model's calls without the others would mean something else.
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
    sentCalls: () => sentCalls,
  };
};
