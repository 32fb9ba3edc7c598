/** A provider's events as they may be sent: text passes the stream review, tool arguments are held until they can be reviewed whole. */

import { mergeEvaluations } from "../../policies/content/content-evaluation.ts";
import type { ContentRules } from "../../policies/content/content-rules.ts";
import { createAnswerReview } from "../../policies/content/review-answer-stream.ts";
import type { ContentEvaluation } from "../../policies/evaluation-schemas.ts";
import { type ChatEvent, isPlain, type ToolCall } from "../../providers/provider.ts";
import type { StreamPart } from "../response/outlet.ts";
import { createKeptText, type KeptText } from "./kept-text.ts";
import { reviewCalls } from "./review-calls.ts";

export type Outgoing = {
  /** Appends to `parts` what may be sent after this event; usually nothing or one part. */
  push(event: ChatEvent, parts: StreamPart[]): void;
  /** Returns the rest once the answer is complete. */
  end(): Promise<StreamPart[]>;
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
          sent = true;
          parts.push({ type: "text", text: event.text });
          return;
        case "reasoning":
          if (!showsThoughts) return;
          sent = true;
          parts.push({ type: "thinking", text: event.text });
          return;
        case "thinking":
        case "thinking-end":
        case "thought":
          // Thinking in plain text goes with the calls that follow it, unless all of it was shown.
          if (showsThoughts === (event.type === "thought" && isPlain(event.thought))) return;
          sent = true;
          parts.push(event);
          return;
        case "tool-start":
        case "tool-arguments":
          sent = true;
          parts.push(event);
      }
    },
    end: async () => [],
    blocked: () => false,
    hasSent: () => sent,
    sentText: received.text.read,
    evaluation: () => undefined,
    sentCalls: () => received.toolCalls,
  };
};

const reviewed = (rules: ContentRules): Outgoing => {
  const textReview = createAnswerReview(rules);
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
          pushText(textReview.push(event.text), parts);
          break;
        case "tool-start":
          calls[event.index] = { id: event.id, name: event.name, arguments: "" };
          break;
        case "tool-arguments":
          calls[event.index]!.arguments += event.text;
      }
    },
    end: async () => {
      const rest = await textReview.end();
      const reviewedCalls = await reviewCalls(rules, calls);
      evaluations.push(...reviewedCalls.map(({ review }) => review.evaluation));
      callBlocked = reviewedCalls.some(({ review }) => review.blocked);
      // One blocked call blocks them all: some of a model's calls without the others would mean something else.
      if (textReview.blocked() || callBlocked) return [];
      const parts: StreamPart[] = [];
      pushText(rest, parts);
      for (const [index, { call, review }] of reviewedCalls.entries()) {
        hasSent = true;
        sentCalls.push({ ...call, arguments: review.text });
        parts.push(
          { type: "tool-start", index, id: call.id, name: call.name },
          { type: "tool-arguments", index, text: review.text },
        );
      }
      return parts;
    },
    blocked: () => textReview.blocked() || callBlocked,
    hasSent: () => hasSent,
    sentText: sent.read,
    evaluation: () => mergeEvaluations(textReview.evaluation(), ...evaluations),
    sentCalls: () => sentCalls,
  };
};
