/** Attempts for a streamed answer. Until the first content has been sent, a failure falls back to the next model unnoticed. */

import { type ApiError, serviceUnavailable } from "../../api-error.ts";
import { ReaderGone } from "../../http/sse.ts";
import { endNow } from "../../lib/clock.ts";
import type { Platform } from "../../platform.ts";
import { contentBlocked } from "../../policies/content/content-evaluation.ts";
import { type ChatResult, promptTokens } from "../../providers/provider.ts";
import type { UpstreamError } from "../../providers/upstream-error.ts";
import { keepAnswer } from "../cache/reuse-answer.ts";
import type { CallDraft } from "../call-draft.ts";
import type { PendingCall } from "../decision/decide-call.ts";
import type { Prepared } from "../decision/prepare-call.ts";
import { checkAnswer } from "../output/check-output.ts";
import { isLong, readKept } from "../output/kept-text.ts";
import { noteAnswer, noteCheck, noteEvaluation } from "../output/note-answer.ts";
import { judgeSent } from "../output/review-answer.ts";
import { createOutgoing, type Outgoing } from "../output/review-outgoing.ts";
import { createUnfence } from "../output/unfence-stream.ts";
import type { Send, StreamPart } from "../response/outlet.ts";
import { askInTurn, type Outcome } from "./ask-in-turn.ts";
import { asUpstreamError, beginAttempt, givenUp, hungUp, noteMisfit, type OpenAttempt, settleAttempt } from "./attempt.ts";
import type { Target } from "./next-target.ts";
import { leavingRoom } from "./output-bound.ts";
import { count, isEmpty, isFlood, newReceived, type Received, receive, resultOf, usageOf } from "./received.ts";

/** One attempt: what it has received, and what of that has been sent on. */
type Flow = { open: OpenAttempt; received: Received; outgoing: Outgoing };

export const streamAttempts = async (platform: Platform, call: PendingCall, send: Send): Promise<ChatResult> => {
  const flow = await askInTurn<Flow>(platform, call, {
    attempt: (target, asked) => attemptFlowing(platform, call, target, asked, send),
    askAfter: ({ received }) => leavingRoom(call.prepared, received.finish),
    // All answers are empty; the headers name the last model.
    best: (flows) => flows.at(-1)!,
  });
  // Noted first: a caller who disconnects during the judging has already received the whole answer.
  noteSent(call.draft, flow);
  await judgeSent(platform, call.draft, call.context.policies.output, flow.outgoing);
  const result = finish(platform, call, flow);
  keepAnswer(platform, call.draft, result, flow.received.hasThought);
  return result;
};

const attemptFlowing = async (
  platform: Platform,
  call: PendingCall,
  target: Target,
  asked: Prepared,
  send: Send,
): Promise<Outcome<Flow>> => {
  const { draft, context } = call;
  const open = await beginAttempt(platform, call, target, asked);
  const received = newReceived();
  const thinking = { shows: draft.input.showsThinking, mayFlow: () => draft.hasHeaders === true };
  const flow: Flow = { open, received, outgoing: createOutgoing(context.policies.output, received, thinking) };
  try {
    await relay(platform, call, flow, send);
  } catch (error) {
    return { failure: await breakOff(platform, call, flow, error) };
  }
  settle(platform, draft, flow);
  refuseBlocked(draft, flow);
  // An empty answer that ended at the caller's own stop sequence is valid.
  const isLast = flow.outgoing.hasSent() || received.stopSequence !== undefined || !isEmpty(received);
  // A model that declines without a word is known by its reason to finish.
  if (!isLast) noteMisfit(open.attempt, checkAnswer(platform, draft, open.request, resultOf(received, open.attempt)));
  return { answer: flow, isLast };
};

/** Runs until the upstream ends, a policy blocks the answer, or the answer exceeds what the ceiling left room for. */
const relay = async (platform: Platform, call: PendingCall, { open, received, outgoing }: Flow, send: Send): Promise<void> => {
  const sendOn: Send = (parts) => {
    if (call.draft.firstTokenMs === undefined && outgoing.hasSent()) noteBegun(platform, call, received);
    return send(parts);
  };
  const unfence = call.prepared.request.outputFormat === undefined ? undefined : createUnfence();
  await open.provider.streamChat!(open.upstreamModel, open.request, open.context, (events) => {
    const parts: StreamPart[] = [];
    for (const event of events) count(received, event);
    for (const event of unfence === undefined ? events : events.flatMap(unfence)) {
      receive(received, event);
      outgoing.push(event, parts);
    }
    const isTooMuch = isFlood(received, open);
    if (isTooMuch) Object.assign(received, { finish: "length", isCut: true });
    const room = sendOn(parts);
    const goesOn = !isTooMuch && !outgoing.blocked();
    return room === undefined ? goesOn : room.then(() => goesOn);
  });
  await sendOn(await outgoing.end());
};

const noteBegun = ({ clock }: Platform, { draft, prepared }: PendingCall, { usage }: Received): void => {
  draft.firstTokenMs = Math.max(0, endNow(clock, draft.caller) - draft.caller.startedAtMs);
  // Some servers report zeros first, and the true counts at the end.
  if (usage && promptTokens(usage) > 0) draft.firstUsage = usage;
  // From here on no other model is asked, so the list need not stay in memory while the answer streams.
  prepared.decision.ranked.length = 0;
};

/**
 * Settles an attempt that failed midway. Resolves with the failure if another model may still answer; else throws the stream's final error.
 */
const breakOff = async (platform: Platform, call: PendingCall, flow: Flow, error: unknown): Promise<UpstreamError> => {
  const { draft, deadline } = call;
  const { received, outgoing } = flow;
  // Hundreds of streams may end at once (a stopping server), so long answers take turns. The caller waits for nothing here: its content has
  // been sent.
  if (isLong(received.text) && outgoing.hasSent()) draft.releaseLongAnswer = await platform.longAnswers.acquire();
  const upstream = asUpstreamError(error);
  // A caller who disconnects mid-stream is billed for what had been received.
  settle(platform, draft, flow, upstream ?? (error instanceof ReaderGone ? hungUp() : givenUp(deadline, flow.open)));
  if (upstream !== undefined && !outgoing.hasSent()) return upstream;
  noteSent(draft, flow);
  const evaluation = outgoing.evaluation();
  if (evaluation !== undefined) noteEvaluation(draft, evaluation);
  throw upstream === undefined ? error : brokenOff();
};

const settle = (platform: Platform, draft: CallDraft, { open, received }: Flow, failure?: UpstreamError): void =>
  settleAttempt(platform, draft, open, { ...usageOf(received, open, failure), finishReason: received.finish }, failure);

const noteSent = (draft: CallDraft, { open: { candidate }, outgoing, received: { pictures, refusal } }: Flow): void =>
  noteAnswer(draft, candidate, { text: outgoing.sentText(), toolCalls: outgoing.sentCalls(), pictures, refusal });

/** What has been sent cannot be retried; it is checked all the same, for the caller's and the log's information. */
const finish = (platform: Platform, { draft, prepared }: PendingCall, flow: Flow): ChatResult => {
  const { attempt } = flow.open;
  const { citations, ...result } = resultOf(flow.received, attempt);
  const check = checkAnswer(platform, draft, prepared.request, result);
  noteCheck(draft, check);
  noteMisfit(attempt, check);
  return {
    ...result,
    ...(result.refusal !== undefined && { refusal: flow.outgoing.sentText() }),
    // Policies do not review the titles of cited pages.
    ...(citations && flow.outgoing.evaluation() === undefined && { citations }),
  };
};

/** The log holds the whole answer, as for answers that are not streamed: the owner of the policy wants to see what it stopped. */
const refuseBlocked = (draft: CallDraft, { open: { candidate }, received, outgoing }: Flow): void => {
  if (!outgoing.blocked()) return;
  const { toolCalls, pictures } = received;
  noteAnswer(draft, candidate, { text: readKept(received.text), toolCalls, pictures });
  throw contentBlocked(noteEvaluation(draft, outgoing.evaluation()!));
};

const brokenOff = (): ApiError =>
  serviceUnavailable("The provider broke off in the middle of the answer; what was sent is incomplete.", 1);
