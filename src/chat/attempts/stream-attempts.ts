/** Attempts whose answer flows on as it comes. Until the first content has left, a failure moves on to the next model unseen. */

import { type ApiError, serviceUnavailable } from "../../api-error.ts";
import { ReaderGone } from "../../http/sse.ts";
import { estimateTokens } from "../../lib/estimate-tokens.ts";
import type { Platform } from "../../platform.ts";
import { contentBlocked } from "../../policies/content/content-evaluation.ts";
import {
  type ChatEvent,
  type FinishReason,
  noUsage,
  type TokenUsage,
  type ToolCall,
  type UpstreamError,
} from "../../providers/provider.ts";
import type { Candidate } from "../../router/score-candidates.ts";
import type { Decided } from "../answer.ts";
import type { CallDraft } from "../call-draft.ts";
import { checkOutput } from "../output/check-output.ts";
import { createKeptText, type KeptText } from "../output/kept-text.ts";
import { judgeSent } from "../output/review-answer.ts";
import { createOutgoing, type Outgoing } from "../output/review-outgoing.ts";
import { askedText } from "../request/last-user-text.ts";
import type { Send, StreamPart } from "../response/outlet.ts";
import { type Deadline, waitWithin } from "./deadline.ts";
import { type LastOutcome, newProgress, nextTarget } from "./next-target.ts";
import { refusalOf } from "./refusal-of.ts";
import {
  asUpstreamError,
  beginAttempt,
  fitsCeiling,
  givenUp,
  hungUp,
  isOpen,
  type OpenAttempt,
  settleAttempt,
} from "./run-attempt.ts";
import { requestFor, reservationFor } from "./run-attempts.ts";

type Finished = { finishReason: FinishReason; usage: TokenUsage; refusal?: string; stopSequence?: string };
/** What has come of one attempt so far, as the provider sent it. */
type Received = {
  text: KeptText;
  refusal: string;
  beyondTokens: number;
  toolCalls: ToolCall[];
  usage?: TokenUsage;
  finish?: FinishReason;
  stopSequence?: string;
};

export const streamAttempts = async (
  platform: Platform,
  draft: CallDraft,
  decided: Decided,
  deadline: Deadline,
  send: Send,
): Promise<Finished> => {
  const { prepared, context } = decided;
  const { ranked } = prepared.decision;
  const progress = newProgress();
  let last: LastOutcome | undefined;
  let failure: UpstreamError | undefined;
  while (performance.now() < deadline.endsAt && !deadline.signal.aborted) {
    const target = nextTarget(
      ranked,
      progress,
      last,
      (each) => isOpen(platform, draft, each),
      (each) => fitsCeiling(prepared, draft, each),
    );
    if (target === undefined || !prepared.reservation.raise(reservationFor(draft, target.candidate))) break;
    if (target.waitMs > 0 && !(await waitWithin(deadline, target.waitMs))) break;
    const request = await requestFor(platform, draft, target.candidate, prepared.request, deadline);
    const open = beginAttempt(platform, draft, prepared, target, request, deadline);
    const received: Received = { text: createKeptText(), refusal: "", beyondTokens: 0, toolCalls: [] };
    const outgoing = createOutgoing(context.policies.output, received.text);
    let settled = false;
    try {
      await relay(platform, draft, open, received, outgoing, send);
      settled = true;
      settle(platform, draft, open, received, prepared.promptTokens, undefined);
      refuseBlocked(draft, outgoing);
      // An answer that ended at once, by the caller's own stop sequence, is the answer.
      if (isEmpty(received) && received.stopSequence === undefined && !outgoing.hasSent()) {
        progress.answers++;
        last = { candidate: target.candidate, failure: "check" };
        open.attempt.success = false;
        open.attempt.failure = "incomplete";
        const more = nextWouldCome(ranked, progress, last, platform, draft, decided);
        if (more) continue;
      }
      await judgeSent(platform, draft, context.policies.output, outgoing);
      return finish(platform, draft, decided, target.candidate, received, outgoing);
    } catch (error) {
      if (settled) throw error;
      settled = true;
      // Hundreds may be cut at one moment; what has been sent is the end of the story, so nobody's turn lasts long.
      if (received.text.isLong() && outgoing.hasSent()) draft.endTurn = await platform.longAnswers.take();
      const upstream = asUpstreamError(error);
      // Left by the caller in mid-stream: billed for what had come until then.
      const end = upstream ?? (error instanceof ReaderGone ? hungUp() : givenUp(deadline));
      settle(platform, draft, open, received, prepared.promptTokens, end);
      if (upstream === undefined || outgoing.hasSent()) {
        note(draft, target.candidate, received, outgoing);
        throw upstream === undefined ? error : brokenOff();
      }
      failure = upstream;
      last = { candidate: target.candidate, failure: upstream };
    }
  }
  throw refusalOf(platform, failure, ranked);
};

/** Until the upstream's end, or until a policy blocks what came. */
const relay = async (
  platform: Platform,
  draft: CallDraft,
  open: OpenAttempt,
  received: Received,
  outgoing: Outgoing,
  send: Send,
): Promise<void> => {
  await open.provider.streamChat!(open.upstreamModel, open.request, open.context, (events) => {
    const parts: StreamPart[] = [];
    for (const event of events) {
      receive(received, event);
      outgoing.push(event, parts);
      if (outgoing.blocked()) break;
    }
    if (parts.length > 0) draft.firstTokenMs ??= platform.clock.now() - draft.caller.startedAtMs;
    const room = send(parts);
    const goesOn = !outgoing.blocked();
    return room === undefined ? goesOn : room.then(() => goesOn);
  });
  await send(outgoing.end());
};

const receive = (received: Received, event: ChatEvent): void => {
  switch (event.type) {
    case "text":
      keep(received, event.text);
      break;
    case "refusal":
      received.refusal += event.text;
      keep(received, event.text);
      break;
    case "tool-start":
      received.toolCalls[event.index] = { id: event.id, name: event.name, arguments: "" };
      break;
    case "tool-arguments":
      received.toolCalls[event.index]!.arguments += event.text;
      break;
    case "usage":
      received.usage = event.usage;
      break;
    case "finish":
      received.finish = event.reason;
      if (event.stopSequence !== undefined) received.stopSequence = event.stopSequence;
  }
};

/** What no honest answer reaches is counted, not kept: a flood must not fill the memory. */
const keep = (received: Received, text: string): void => {
  if (!received.text.add(text)) received.beyondTokens += estimateTokens(text);
};

const isEmpty = ({ text, toolCalls }: Received): boolean => toolCalls.length === 0 && !/\S/.test(text.read());

/** Looks without marking: whether another attempt would follow. */
const nextWouldCome = (
  ranked: readonly Candidate[],
  progress: ReturnType<typeof newProgress>,
  last: LastOutcome,
  platform: Platform,
  draft: CallDraft,
  { prepared }: Decided,
): boolean =>
  nextTarget(
    ranked,
    { ...progress, tried: new Set(progress.tried) },
    last,
    (each) =>
      draft.caller.mode === "test" || platform.providers.health.state(each.model.provider, each.model.upstreamModel) !== "down",
    (each) => fitsCeiling(prepared, draft, each),
  ) !== undefined;

/** Usage by the provider where it said so to the end; else what can be known: the prompt once it was accepted, and what came. */
const settle = (
  platform: Platform,
  draft: CallDraft,
  open: OpenAttempt,
  received: Received,
  promptTokens: number,
  failure: UpstreamError | undefined,
): void => {
  const reported = failure?.details.usage ?? received.usage;
  const hasContent = !isEmpty(received);
  const wasAccepted = failure === undefined || hasContent || failure.details.accepted === true || reported !== undefined;
  const estimatedOutput =
    estimateTokens(received.text.read()) +
    received.beyondTokens +
    received.toolCalls.reduce((sum, call) => sum + estimateTokens(call.arguments) + estimateTokens(call.name), 0);
  const complete = received.finish !== undefined && reported !== undefined;
  const usage = complete
    ? reported
    : wasAccepted
      ? { ...(reported ?? { ...noUsage(), input: promptTokens }), output: Math.max(reported?.output ?? 0, estimatedOutput) }
      : noUsage();
  settleAttempt(platform, draft, open, {
    success: failure === undefined,
    usage,
    usageSource: complete ? "provider" : wasAccepted ? "estimated" : "none",
    ...(received.finish && { finishReason: received.finish }),
    ...(failure && {
      failure: failure.kind,
      failureMessage: failure.details.upstreamMessage ?? failure.message,
      ...(failure.details.status !== undefined && { upstreamStatus: failure.details.status }),
    }),
  });
  received.usage = usage;
};

const note = (draft: CallDraft, candidate: Candidate, received: Received, outgoing: Outgoing): void => {
  draft.model = candidate.model.id;
  draft.provider = candidate.model.provider;
  const calls = outgoing.reviewedCalls() ?? received.toolCalls;
  draft.toolCalls = calls;
  draft.outputText = outgoing.sentText() || calls.map((call) => `${call.name}(${call.arguments})`).join("\n");
  const evaluation = outgoing.evaluation();
  if (evaluation !== undefined) draft.contentEvaluation ??= evaluation;
};

/** What has left cannot be retried; it is checked all the same, so that the caller and the log know. */
const finish = (
  platform: Platform,
  draft: CallDraft,
  { prepared }: Decided,
  candidate: Candidate,
  received: Received,
  outgoing: Outgoing,
): Finished => {
  const finishReason = received.finish ?? "stop";
  const { refusal, toolCalls, stopSequence } = received;
  const check = checkOutput(platform.encoder, {
    request: prepared.request,
    result: {
      text: received.text.read(),
      toolCalls,
      finishReason,
      usage: received.usage!,
      usageSource: "provider",
      ...(refusal !== "" && { refusal }),
      ...(stopSequence !== undefined && { stopSequence }),
    },
    task: prepared.classification.task,
    prompt: askedText(draft.caller.mode, draft.input.request.messages),
  });
  draft.validationPassed = check.passed;
  draft.validationChecks = check.checks;
  draft.qualityScore = check.score;
  draft.formatValid = check.checks.formatValid;
  if (check.failureMode !== undefined) draft.failureMode = check.failureMode;
  note(draft, candidate, received, outgoing);
  return {
    finishReason,
    usage: received.usage!,
    ...(refusal !== "" && { refusal: outgoing.sentText() }),
    ...(stopSequence !== undefined && { stopSequence }),
  };
};

const refuseBlocked = (draft: CallDraft, outgoing: Outgoing): void => {
  if (!outgoing.blocked()) return;
  draft.contentEvaluation = outgoing.evaluation();
  throw contentBlocked(outgoing.evaluation()!);
};

const brokenOff = (): ApiError =>
  serviceUnavailable("The provider broke off in the middle of the answer; what was sent is incomplete.", 1);
