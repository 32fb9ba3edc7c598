/**
 * Sends the parts of a streamed answer, encoded for the caller's API, in chunks of adapting size (spec.md Events, decisions §5). Answers to
 * small prompts pass each delta as it came; after 500 tokens, deltas are joined for at most 25 ms or 16 tokens.
 */

import { abandonStream, createEventSink, endStream, writeFrames } from "../../http/sse.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import type { ChatEvent, ChatResult, TokenUsage } from "../../providers/provider.ts";
import type { Svc } from "./completion-schema.ts";

/** Thinking that returns with the caller's next request. Each API shows the kinds it has a form for. */
export type ThinkingPart = Extract<ChatEvent, { type: "thinking" | "thinking-end" | "thought" }>;

export type PicturePart = Extract<ChatEvent, { type: "picture" }>;

/** How an answer ended. The text of a `refusal` was also sent as text. */
export type Ending = Pick<ChatResult, "finishReason" | "usage" | "refusal" | "stopSequence" | "citations">;
/** A stream's last part; it is sent only after the call is in the log. */
export type FinalPart = { type: "final"; result: Ending; svc: Svc };

export type StreamPart =
  /** `refusal`: on the first text, if it is already known that the answer is one. */
  | { type: "text"; text: string; refusal?: string }
  | ThinkingPart
  | PicturePart
  | { type: "tool-start"; index: number; id: string; name: string }
  | { type: "tool-arguments"; index: number; text: string }
  | FinalPart;

export const isThinkingPart = (part: StreamPart): part is ThinkingPart =>
  part.type === "thinking" || part.type === "thinking-end" || part.type === "thought";

/** The text of thinking, for APIs that have nothing else of it. */
export const thinkingIn = (part: ThinkingPart | Extract<ChatEvent, { type: "reasoning" }>): string => {
  if (part.type === "reasoning" || part.type === "thinking") return part.text;
  return part.type === "thought" && "text" in part.thought ? part.thought.text : "";
};

/** What a stream's frames contain beside its parts. */
export type StreamFacts = {
  requestId: string;
  createdAtMs: number;
  /** Catalog id of the model that is answering. If the headers had to go out before any model answered, the final part has the true one. */
  model(): string;
  promptTokens(): number;
  /** What the prompt used, as far as the provider has said so; else an estimate. */
  promptUsage(): TokenUsage;
};

/** Encodes frames of one API (`data: …\n\n`), in the order of the parts. */
export type StreamEncoder = {
  part(part: StreamPart): string;
  /** The last frame of a stream that failed. */
  failure(error: unknown): string;
};

/** Sends parts on. The promise resolves once the reader has room for more, and rejects with ReaderGone. */
export type Send = (parts: readonly StreamPart[]) => Promise<void> | undefined;

export type Outlet = {
  body: ReadableStream<Uint8Array>;
  /** Resolves with the first part. */
  begun: Promise<void>;
  hasBegun(): boolean;
  /** Writes a comment, so that the runtime sends the headers of a late answer. */
  comment(text: string): Promise<void> | undefined;
  send: Send;
  end(): void;
  fail(error: unknown): void;
  /** Call this if nobody reads the body. */
  abandon(): void;
};

const SMALL_PROMPT_TOKENS = 1_000;
const JOIN_AFTER_TOKENS = 500;
const LONGEST_JOIN_MS = 25;
const LARGEST_JOIN_TOKENS = 16;

export const createOutlet = (facts: StreamFacts, encoder: StreamEncoder): Outlet => {
  const sink = createEventSink();
  const begun = Promise.withResolvers<void>();
  let hasBegun = false;
  let sentDeltas = 0;
  /** After this many deltas they are joined; known once the answer begins. */
  let joinAfter: number | undefined;
  let held = "";
  let heldDeltas = 0;
  let timer: Timer | undefined;

  const takeHeld = (): string => {
    clearTimeout(timer);
    timer = undefined;
    if (held === "") return "";
    const text = held;
    held = "";
    heldDeltas = 0;
    return encoder.part({ type: "text", text });
  };
  const sendHeld = (): void => {
    const frames = takeHeld();
    if (frames !== "") writeFrames(sink, frames)?.catch(() => undefined);
  };
  const framesOf = (part: StreamPart): string => {
    if (part.type !== "text") return takeHeld() + encoder.part(part);
    joinAfter ??= deltasUnjoined(facts);
    if (sentDeltas < joinAfter) {
      // A delta has at least one token. Counting deltas means that joining never begins too early, whatever the token estimate.
      sentDeltas += 1;
      return encoder.part(part);
    }
    held += part.text;
    heldDeltas += 1;
    return heldDeltas >= LARGEST_JOIN_TOKENS || estimateTokens(held) >= LARGEST_JOIN_TOKENS ? takeHeld() : "";
  };

  return {
    body: sink.body,
    begun: begun.promise,
    hasBegun: () => hasBegun,
    comment: (text) => writeFrames(sink, text),
    send: (parts) => {
      if (parts.length === 0) return undefined;
      let frames = "";
      for (const part of parts) frames += framesOf(part);
      if (held !== "") timer ??= setTimeout(sendHeld, LONGEST_JOIN_MS);
      if (!hasBegun) {
        hasBegun = true;
        begun.resolve();
      }
      return frames === "" ? undefined : writeFrames(sink, frames);
    },
    end: () => {
      sendHeld();
      endStream(sink);
    },
    fail: (error) => {
      sendHeld();
      writeFrames(sink, encoder.failure(error))?.catch(() => undefined);
      endStream(sink);
    },
    abandon: () => {
      clearTimeout(timer);
      abandonStream(sink);
    },
  };
};

/** With a large prompt, joining begins with the first tokens. */
const deltasUnjoined = (facts: StreamFacts): number =>
  facts.promptTokens() < SMALL_PROMPT_TOKENS ? JOIN_AFTER_TOKENS : LARGEST_JOIN_TOKENS;
