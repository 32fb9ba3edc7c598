/** The story of one streamed chat call. It follows answer.ts up to the first part sent; from there on nothing can be taken back. */

import type { Platform } from "../platform.ts";
import { lookForAnything } from "../policies/content/content-rules.ts";
import { mustJudgeFirst } from "../policies/content/judge-criteria.ts";
import type { ChatResult } from "../providers/provider.ts";
import { answerWhole } from "./attempts/answer-whole.ts";
import { streamAttempts } from "./attempts/stream-attempts.ts";
import type { CallDraft } from "./call-draft.ts";
import { rememberAnswer } from "./context/session-memory.ts";
import { type DecidedCall, decideCall, type PendingCall } from "./decision/decide-call.ts";
import { recordDraft, recorded } from "./record-draft.ts";
import type { Send } from "./response/outlet.ts";
import { svcOf } from "./response/svc.ts";
import { partsOf, shown } from "./response/whole-answer.ts";
import { shadowCall } from "./shadow-call.ts";

/** Resolves once the final part has been sent. Throws the error that ends the stream, or the caller's refusal if nothing was sent. */
export const streamChat = (platform: Platform, draft: CallDraft, send: Send): Promise<void> =>
  recorded(platform, draft, async () => {
    const call = await decideCall(platform, draft);
    const result = await sendAnswer(platform, call, send);
    await rememberAnswer(platform, draft, call.context.request.messages);
    await recordDraft(platform, draft);
    shadowCall(platform, call);
    await send([{ type: "final", result, svc: svcOf(platform, draft, result.usage) }]);
  });

const sendAnswer = async (platform: Platform, call: DecidedCall, send: Send): Promise<ChatResult> => {
  if (call.result === undefined && !isSentWhole(call)) return streamAttempts(platform, call, send);
  return sendWhole(call.draft, call.result ?? (await answerWhole(platform, call)), send);
};

/**
 * Whether the answer must be complete before any of it is sent: if it has to fit a schema, if it takes a conversation's place, if a model
 * judges it first, or if policies review JSON.
 */
const isSentWhole = ({ draft: { input }, context: { schema, policies, request } }: PendingCall): boolean =>
  schema !== undefined ||
  input.isSummary === true ||
  (policies.output !== undefined &&
    lookForAnything(policies.output) &&
    (request.outputFormat !== undefined || mustJudgeFirst(policies.output)));

const sendWhole = async (draft: CallDraft, result: ChatResult, send: Send): Promise<ChatResult> => {
  draft.firstUsage = result.usage;
  await send(partsOf(shown(draft.input, result)));
  return result;
};
