/** A provider's events as they may be sent: text passes the stream review, tool arguments are held until they can be reviewed whole. */

import { mapYielding } from "../../lib/map-yielding.ts";
import { mergeEvaluations } from "../../policies/content/content-evaluation.ts";
import { type ContentRules, lookForAnything } from "../../policies/content/content-rules.ts";
import { createAnswerReview } from "../../policies/content/review-answer-stream.ts";
import { isBlocked, type Review } from "../../policies/content/review-content.ts";
import { reviewInSteps } from "../../policies/content/review-json.ts";
import type { ContentEvaluation } from "../../policies/evaluation-schemas.ts";
import { type ChatEvent, isPlain, type ToolCall } from "../../providers/provider.ts";
import type { ChatInput } from "../request/chat-input.ts";
import { type StreamPart, thinkingIn } from "../response/outlet.ts";
import { holdOpeningBlanks } from "./hold-opening-blanks.ts";
import { createKeptText, type KeptText, keepPiece, readKept } from "./kept-text.ts";

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

/** How the caller's API shows thinking. `mayFlow`: what is shown before the content need not wait for it any more. */
type Thinking = { shows: ChatInput["showsThinking"]; mayFlow(): boolean };

/** Thinking is sent if the API shows it and no policy reviews answers. */
export const createOutgoing = (rules: ContentRules | undefined, received: Collected, thinking: Thinking): Outgoing =>
  rules !== undefined && lookForAnything(rules) ? reviewed(rules, received) : passThrough(received, thinking);

const UNREVIEWED = { end: async () => [], blocked: () => false, evaluation: () => undefined };

/** Without policies events pass unchanged, so what was received is what was sent. */
const passThrough = (received: Collected, { shows, mayFlow }: Thinking): Outgoing => {
  let sent = false;
  /** Thinking that waits for its content. If the attempt fails before, another model's answer comes without it. */
  let held: KeptText | undefined;
  const afterBlanks = holdOpeningBlanks();
  const sendHeld = (parts: StreamPart[]): void => {
    if (held === undefined) return;
    parts.push({ type: "thinking", text: readKept(held) });
    held = undefined;
  };
  const say = (text: string, parts: StreamPart[]): void => {
    if (text === "") return;
    sendHeld(parts);
    sent = true;
    parts.push({ type: "text", text });
  };
  const think = (text: string, parts: StreamPart[]): void => {
    if (text === "") return;
    if (!sent && !mayFlow()) {
      held ??= createKeptText();
      keepPiece(held, text);
      return;
    }
    sendHeld(parts);
    parts.push({ type: "thinking", text });
  };
  return {
    push: (event, parts) => {
      switch (event.type) {
        case "text":
        case "refusal":
          return say(afterBlanks(event.text), parts);
        case "reasoning":
        case "thinking":
        case "thinking-end":
        case "thought":
          // What a plain thought says has already come as reasoning.
          if (shows === undefined || (event.type === "thought" && isPlain(event.thought))) return;
          if (shows === "before-content") return think(thinkingIn(event), parts);
          sent = true;
          parts.push(event.type === "reasoning" ? { type: "thinking", text: event.text } : event);
          return;
        case "picture":
        case "tool-start":
        case "tool-arguments":
          sendHeld(parts);
          sent = true;
          parts.push(event);
      }
    },
    ...UNREVIEWED,
    hasSent: () => sent,
    sentText: () => (sent ? readKept(received.text) : ""),
    sentCalls: () => received.toolCalls,
  };
};

type ReviewedCall = { call: ToolCall; review: Review };

/** Reviews the arguments of tool calls; while long ones are read, other calls are served. */
export const reviewCalls = (rules: ContentRules, calls: readonly ToolCall[]): Promise<ReviewedCall[]> =>
  mapYielding(calls, async (call) => ({ call, review: await reviewInSteps(rules, call.arguments, true) }));

const reviewed = (rules: ContentRules, received: Collected): Outgoing => {
  const textReview = createAnswerReview(rules);
  const sent = createKeptText();
  const sentCalls: ToolCall[] = [];
  const afterBlanks = holdOpeningBlanks();
  /** Reviewed at the end. */
  let calls: ReviewedCall[] = [];
  let hasSent = false;
  // One blocked call blocks them all: some of a model's calls without the others would mean something else.
  const blocked = (): boolean => textReview.blocked() || calls.some(({ review }) => isBlocked(review));
  const pushText = (passed: string, parts: StreamPart[]): void => {
    const text = afterBlanks(passed);
    if (text === "") return;
    keepPiece(sent, text);
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
        case "picture":
          hasSent = true;
          parts.push(event);
      }
    },
    end: async () => {
      const rest = await textReview.end();
      calls = await reviewCalls(rules, received.toolCalls);
      if (blocked()) return [];
      const parts: StreamPart[] = [];
      pushText(rest, parts);
      for (const [index, { call, review }] of calls.entries()) {
        hasSent = true;
        sentCalls.push({ ...call, arguments: review.text });
        parts.push(
          { type: "tool-start", index, id: call.id, name: call.name },
          { type: "tool-arguments", index, text: review.text },
        );
      }
      return parts;
    },
    blocked,
    hasSent: () => hasSent,
    sentText: () => readKept(sent),
    evaluation: () => mergeEvaluations(textReview.evaluation(), ...calls.map(({ review }) => review.evaluation)),
    sentCalls: () => sentCalls,
  };
};
