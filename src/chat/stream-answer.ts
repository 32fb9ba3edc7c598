/** The story of one streamed chat call. It follows answer.ts up to the first byte; from there on nothing can be taken back. */

import type { Caller } from "../accounts/authenticate.ts";
import { ApiError } from "../api-error.ts";
import { KEEP_ALIVE, ReaderGone } from "../http/sse.ts";
import { fallbackUsed } from "../logs/call.ts";
import type { Platform } from "../platform.ts";
import { mustJudgeFirst } from "../policies/content/judge-criteria.ts";
import { describeError } from "../process-log.ts";
import { noUsage, wantsThoughts } from "../providers/provider.ts";
import { answerWhole } from "./attempts/answer-whole.ts";
import { deadlineOf } from "./attempts/deadline.ts";
import type { PendingCall } from "./attempts/run-attempt.ts";
import type { Judged } from "./attempts/run-attempts.ts";
import { streamAttempts } from "./attempts/stream-attempts.ts";
import type { CallDraft } from "./call-draft.ts";
import { rememberAnswer } from "./context/session-memory.ts";
import { type Decided, decide } from "./decision/decide-call.ts";
import { classifyCall } from "./decision/prepare-call.ts";
import { answerWithMedia, asksForMedia } from "./media/answer-with-media.ts";
import { LedgerError, leavesNoRow, recordDraft, unrecorded } from "./record-draft.ts";
import {
  createOutlet,
  type Ending,
  type Outlet,
  type Send,
  type StreamEncoder,
  type StreamFacts,
  type StreamPart,
} from "./response/outlet.ts";
import { placeThoughts } from "./response/place-thoughts.ts";
import { svcOf } from "./response/svc.ts";
import { shadowCall } from "./shadow-call.ts";

type Story = {
  draft: CallDraft;
  /** Called once when the call has ended, to give back what it held (the place among the project's streams). */
  release(): void;
  /** Set once the models have been chosen. */
  decided?: Decided;
};

type OpenedStream = { body: ReadableStream<Uint8Array>; facts: StreamFacts };

/** Response headers wait this long for the first content (decisions §11). */
const LONGEST_SILENCE_MS = 10_000;

/**
 * Resolves once the first content is there, or after ten seconds. Until then it throws the caller's error as answer.ts does; a later error
 * becomes the stream's last frame. A caller who disconnects aborts the upstream, and what was used is logged.
 */
export const streamChat = async (
  platform: Platform,
  story: Story,
  encoderFor: (stream: StreamFacts) => StreamEncoder,
): Promise<OpenedStream> => {
  const { draft } = story;
  const { caller, signal } = draft;
  const promptTokens = () => story.decided?.prepared.promptTokens ?? 0;
  const facts: StreamFacts = {
    requestId: caller.requestId,
    createdAtMs: caller.startedAtMs,
    // If several whole answers came, the best one is sent, which need not be the last.
    model: () => draft.model ?? draft.attempts.at(-1)?.model ?? draft.firstChoice ?? "",
    fallbackUsed: () => fallbackUsed(draft),
    promptTokens,
    promptUsage: () => ({ ...(draft.firstUsage ?? { ...noUsage(), input: promptTokens() }), output: 0, reasoning: 0 }),
  };
  const outlet = createOutlet(facts, encoderFor(facts));
  let isLate = false;
  const ended = runStory(platform, story, outlet.send).then(
    () => outlet.end(),
    (error) => {
      const isUnread = !outlet.hasBegun() && !isLate;
      if (isUnread || signal.aborted) outlet.abandon();
      if (isUnread) throw error;
      endInError(platform, caller, outlet, error);
    },
  );
  await within(LONGEST_SILENCE_MS, Promise.race([outlet.begun, ended]), () => {
    isLate = true;
    outlet.comment(KEEP_ALIVE)?.catch(() => undefined);
  });
  return { body: outlet.body, facts };
};

/** Resolves with `what`, or after `ms`, when it calls `late`. */
const within = async (ms: number, what: Promise<void>, late: () => void): Promise<void> => {
  const { promise: silence, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    late();
    resolve();
  }, ms);
  try {
    await Promise.race([what, silence]);
  } finally {
    clearTimeout(timer);
  }
};

/** A disconnected caller is noted in the call's row, not in the process log. */
const endInError = (platform: Platform, caller: Caller, outlet: Outlet, error: unknown): void => {
  if (error instanceof ReaderGone) return;
  const isAbort = error instanceof Error && error.name === "AbortError";
  if (!(error instanceof ApiError) && !isAbort)
    platform.log.error("A stream failed unexpectedly", { request_id: caller.requestId, ...describeError(error) });
  outlet.fail(error);
};

/** Runs the call and records it exactly once, however it ends: finished, refused, broken off, or left by the caller. */
const runStory = async (platform: Platform, story: Story, send: Send): Promise<void> => {
  const { draft } = story;
  const { signal } = draft;
  try {
    classifyCall(platform, draft);
    if (asksForMedia(draft)) {
      const answer = await answerWithMedia(platform, draft, signal);
      const final: StreamPart = { type: "final", finishReason: "stop", usage: answer.usage, svc: answer.svc };
      await send([{ type: "text", text: answer.result.text }, final]);
      return;
    }
    const decided = await decide(platform, draft);
    story.decided = decided;
    const call: PendingCall = { ...decided, draft, deadline: deadlineOf(platform, signal) };
    const finished: Finished = isWhole(decided)
      ? await sendWhole(platform, call, send)
      : await streamAttempts(platform, call, send);
    await rememberAnswer(platform, draft, decided.context.request.messages);
    await recordDraft(platform, draft);
    shadowCall(platform, draft, decided);
    const { schema, ...said } = finished;
    const svc = svcOf(platform, draft, { ...decided, usage: said.usage, ...(schema && { schema }) });
    await send([{ type: "final", ...said, svc }]);
  } catch (error) {
    if (error instanceof LedgerError) throw unrecorded();
    if (!draft.isRecorded) await recordEnd(platform, draft, error, signal.aborted || error instanceof ReaderGone);
    throw error;
  } finally {
    draft.releaseLongAnswer?.();
    draft.reservation.release();
    story.release();
  }
};

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

/**
 * Whether the answer must be complete before any of it is sent: if it has to fit a schema, if a model judges it first, or if policies
 * review JSON.
 */
const isWhole = ({ context: { schema, policies, request } }: Decided): boolean =>
  schema !== undefined ||
  (policies.output !== undefined && (request.outputFormat !== undefined || mustJudgeFirst(policies.output)));

type Finished = Ending & Pick<Judged, "schema">;

const sendWhole = async (platform: Platform, call: PendingCall, send: Send): Promise<Finished> => {
  const { result, schema } = await answerWhole(platform, call);
  const { finishReason, usage, refusal, stopSequence, citations } = result;
  call.draft.firstUsage = usage;
  const parts: StreamPart[] = placeThoughts(result)
    .filter(({ type }) => type === "text" || wantsThoughts(call.prepared.request))
    .map((part) => (part.type === "text" && refusal !== undefined ? { ...part, refusal } : part));
  for (const [index, call] of result.toolCalls.entries()) {
    parts.push({ type: "tool-start", index, id: call.id, name: call.name });
    parts.push({ type: "tool-arguments", index, text: call.arguments });
  }
  await send(parts);
  return {
    finishReason,
    usage,
    ...(refusal !== undefined && { refusal }),
    ...(stopSequence !== undefined && { stopSequence }),
    ...(citations && { citations }),
    ...(schema && { schema }),
  };
};
