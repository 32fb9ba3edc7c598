/** The story of one streamed chat call. Shares everything with answer.ts up to the first byte; from there on nothing can be taken back. */

import type { Caller } from "../accounts/authenticate.ts";
import type { Platform } from "../platform.ts";
import { mustJudgeFirst } from "../policies/judge-criteria.ts";
import type { FinishReason, TokenUsage } from "../providers/provider.ts";
import { answerWhole, type Decided, decide, unrecorded } from "./answer.ts";
import { answerWithMedia, asksForMedia } from "./answer-with-media.ts";
import { type CallDraft, LedgerError, leavesNoRow, newDraft, recordDraft } from "./call-draft.ts";
import type { ChatInput } from "./chat-input.ts";
import { deadlineOf } from "./deadline.ts";
import { classifyCall } from "./prepare-call.ts";
import { rememberAnswer } from "./session-memory.ts";
import { shadowCall } from "./shadow-call.ts";
import { streamAttempts } from "./stream-attempts.ts";
import { svcOf } from "./svc.ts";

export type StreamPart =
  | { type: "text"; text: string }
  | { type: "tool-start"; index: number; id: string; name: string }
  | { type: "tool-arguments"; index: number; text: string }
  /** Last. Comes only after the call is in the log. */
  | { type: "final"; finishReason: FinishReason; usage: TokenUsage; svc: Record<string, unknown> };

export type OpenedStream = {
  requestId: string;
  createdAtMs: number;
  /** Ten seconds have passed without content. */
  late: boolean;
  /** Catalog id of the model that is answering; the final part tells the truth where none had begun in time. */
  model: () => string;
  fallbackUsed: () => boolean;
  promptTokens: () => number;
  /** Throws ApiError where the answer cannot be finished; returning early aborts the upstream and logs what was used. */
  parts: AsyncIterableIterator<StreamPart>;
};

/** Response headers wait this long for the first content (decisions §11). */
const LONGEST_SILENCE_MS = 10_000;

/** Resolves with the first content in hand, or after ten seconds without. Throws the caller's refusal as answer.ts does. */
export const streamChat = async (
  platform: Platform,
  caller: Caller,
  input: ChatInput,
  signal: AbortSignal,
  release: () => void,
): Promise<OpenedStream> => {
  const draft = newDraft(caller, input, true);
  const state: { decided?: Decided } = {};
  const story = tell(platform, draft, signal, state, release);
  const first = story.next();
  let timer: Timer | undefined;
  const silence = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, LONGEST_SILENCE_MS, "late");
  });
  let late: boolean;
  try {
    late = (await Promise.race([first, silence])) === "late";
  } finally {
    clearTimeout(timer);
  }
  return {
    requestId: caller.requestId,
    createdAtMs: caller.startedAtMs,
    late,
    model: () => draft.attempts.at(-1)?.model ?? draft.firstChoice ?? "",
    fallbackUsed: () => draft.attempts.some(({ purpose }) => purpose === "fallback"),
    promptTokens: () => state.decided?.prepared.promptTokens ?? 0,
    parts: withFirst(first, story),
  };
};

/** The parts with the first of them, which has been asked for already. A plain iterator: a generator around a generator costs each part. */
const withFirst = (
  first: Promise<IteratorResult<StreamPart>>,
  rest: AsyncGenerator<StreamPart>,
): AsyncIterableIterator<StreamPart> => {
  let pending: Promise<IteratorResult<StreamPart>> | undefined = first;
  return {
    next: () => {
      const step = pending ?? rest.next();
      pending = undefined;
      return step;
    },
    return: () => rest.return(undefined),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};

/** Records exactly once, however it ends: finished, refused, broken off, or left by the caller. */
async function* tell(
  platform: Platform,
  draft: CallDraft,
  signal: AbortSignal,
  state: { decided?: Decided },
  release: () => void,
): AsyncGenerator<StreamPart> {
  let outcome: { error: unknown } | "open" | "recorded" = "open";
  try {
    classifyCall(platform, draft);
    if (asksForMedia(draft)) {
      const answer = await answerWithMedia(platform, draft, signal);
      outcome = "recorded";
      yield { type: "text", text: answer.result.text };
      yield { type: "final", finishReason: "stop", usage: answer.usage, svc: answer.svc };
      return;
    }
    const decided = await decide(platform, draft);
    state.decided = decided;
    const finished: Finished = isWhole(decided)
      ? yield* whole(platform, draft, decided, signal)
      : yield* streamAttempts(platform, draft, decided, deadlineOf(platform, signal));
    await rememberAnswer(platform, draft, decided.context.request.messages);
    await recordDraft(platform, draft);
    outcome = "recorded";
    shadowCall(platform, draft, decided);
    yield {
      type: "final",
      ...finished,
      svc: svcOf(platform, draft, { ...decided, ...(finished.schema && { schema: finished.schema }) }),
    };
  } catch (error) {
    if (error instanceof LedgerError) {
      outcome = "recorded";
      throw unrecorded();
    }
    outcome = { error };
    throw error;
  } finally {
    if (outcome !== "recorded")
      await recordEnd(platform, draft, outcome === "open" ? undefined : outcome.error, signal.aborted || outcome === "open");
    state.decided?.prepared.reservation.release();
    release();
  }
}

const recordEnd = async (platform: Platform, draft: CallDraft, error: unknown, cancelled: boolean): Promise<void> => {
  if (leavesNoRow(draft, error)) return;
  if (cancelled) draft.cancelled = true;
  await recordDraft(platform, draft, error).catch((cause) =>
    platform.log.error("A stream's call could not be written to the log", {
      request_id: draft.caller.requestId,
      detail: String(cause),
    }),
  );
};

/** What must be seen whole before any of it may leave: an answer that has to fit a schema, or that a model judges first. */
const isWhole = ({ context }: Decided): boolean =>
  context.schema !== undefined || (context.policies.output !== undefined && mustJudgeFirst(context.policies.output));

type Finished = { finishReason: FinishReason; usage: TokenUsage; schema?: Awaited<ReturnType<typeof answerWhole>>["schema"] };

async function* whole(
  platform: Platform,
  draft: CallDraft,
  decided: Decided,
  signal: AbortSignal,
): AsyncGenerator<StreamPart, Finished> {
  const judged = await answerWhole(platform, draft, decided, deadlineOf(platform, signal));
  if (judged.result.text !== "") yield { type: "text", text: judged.result.text };
  for (const [index, call] of judged.result.toolCalls.entries()) {
    yield { type: "tool-start", index, id: call.id, name: call.name };
    yield { type: "tool-arguments", index, text: call.arguments };
  }
  return {
    finishReason: judged.result.finishReason,
    usage: judged.result.usage,
    ...(judged.schema && { schema: judged.schema }),
  };
}
