/**
 * Where the parts of a streamed answer leave: encoded for the caller's API, and in pieces of adapting size (spec.md Events, decisions §5).
 * Small prompts get each delta as it came; in a large generation, after 500 tokens, deltas are joined for at most 25 ms or 16 tokens.
 */

import { createEventSink, type EventSink } from "../../http/sse.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import type { ChatEvent, ChatResult } from "../../providers/provider.ts";

/** Thoughts that go back with the caller's next request; each API shows those it has a form for. */
export type ThinkingPart = Extract<ChatEvent, { type: "thinking" | "thinking-end" | "thought" }>;

/** How an answer ended, whole or streamed. What a model said in place of an answer, its `refusal`, was sent as text too. */
export type Ending = Pick<ChatResult, "finishReason" | "usage" | "refusal" | "stopSequence" | "citations">;
/** A stream's last part. Comes only after the call is in the log. */
export type FinalPart = Ending & { type: "final"; svc: Record<string, unknown> };

export type StreamPart =
  /** `refusal`: with the first text, where it is known by then that the answer ends with one. */
  | { type: "text"; text: string; refusal?: string }
  | ThinkingPart
  | { type: "tool-start"; index: number; id: string; name: string }
  | { type: "tool-arguments"; index: number; text: string }
  | FinalPart;

export const isThinkingPart = (part: StreamPart): part is ThinkingPart =>
  part.type === "thinking" || part.type === "thinking-end" || part.type === "thought";

/** What a stream's frames say beside its parts. */
export type StreamFacts = {
  requestId: string;
  createdAtMs: number;
  /** Catalog id of the model that is answering; the final part tells the truth where none had begun in time. */
  model(): string;
  fallbackUsed(): boolean;
  promptTokens(): number;
};

/** Frames of one API (`data: …\n\n`), made in the order of the parts. */
export type StreamEncoder = {
  part(part: StreamPart): string;
  /** After it nothing comes. */
  failure(error: unknown): string;
};

/** Hands parts on. What is returned resolves once the reader has room for more, and rejects with ReaderGone. */
export type Send = (parts: readonly StreamPart[]) => Promise<void> | undefined;

export type Outlet = {
  body: ReadableStream<Uint8Array>;
  /** Resolves with the first part. */
  begun: Promise<void>;
  hasBegun(): boolean;
  /** A comment, so that the runtime sends the headers of an answer that is late. */
  comment: EventSink["write"];
  send: Send;
  end(): void;
  fail(error: unknown): void;
  /** Nobody reads the body. */
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
  let isJoining = false;
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
    if (frames !== "") sink.write(frames)?.catch(() => undefined);
  };
  const framesOf = (part: StreamPart): string => {
    if (part.type !== "text") return takeHeld() + encoder.part(part);
    if (!isJoining) {
      // A delta is a token at least: counted so, joining never begins too early, whatever its letters are estimated at.
      sentDeltas += 1;
      isJoining = sentDeltas >= joinAfter(facts);
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
    comment: sink.write,
    send: (parts) => {
      if (parts.length === 0) return undefined;
      let frames = "";
      for (const part of parts) frames += framesOf(part);
      if (held !== "") timer ??= setTimeout(sendHeld, LONGEST_JOIN_MS);
      if (!hasBegun) {
        hasBegun = true;
        begun.resolve();
      }
      return frames === "" ? undefined : sink.write(frames);
    },
    end: () => {
      sendHeld();
      sink.end();
    },
    fail: (error) => {
      sendHeld();
      sink.write(encoder.failure(error))?.catch(() => undefined);
      sink.end();
    },
    abandon: () => {
      clearTimeout(timer);
      sink.abandon();
    },
  };
};

/** A large prompt announces a large answer to read: joining begins with the first tokens. */
const joinAfter = (facts: StreamFacts): number =>
  facts.promptTokens() < SMALL_PROMPT_TOKENS ? JOIN_AFTER_TOKENS : LARGEST_JOIN_TOKENS;
