/** Finds an answer that a caller fetches after it was given. There is no other copy of it than the log's, so it lasts as long as that. */

import type { Caller } from "../accounts/authenticate.ts";
import { ApiError, notFound } from "../api-error.ts";
import { callIdOf } from "../lib/ids.ts";
import type { Platform } from "../platform.ts";
import type { ChatMessage } from "../providers/provider.ts";
import type { Attempt } from "./call.ts";
import { findCall, type StoredDetail } from "./read-store.ts";
import { answerOf } from "./recall-call.ts";
import { type CallDetails, unpackCall } from "./store.ts";
import { entryOf } from "./to-wire.ts";
import type { LogEntry } from "./wire.ts";

export type FetchedAnswer = ReturnType<typeof answerOf> & {
  entry: LogEntry;
  startedAtMs: number;
  details: Partial<CallDetails>;
  /** The attempt that gave it, perhaps in an earlier call, which the log may no longer have. */
  attempt?: Attempt;
  /** This call's own instructions. */
  instructions?: string;
  /** The conversation before it. Of media it has only the kind, and the size or the URL. */
  messages: ChatMessage[];
};

/** `what`: its name in the caller's API. `isKept`: unless the request says otherwise. */
export type FetchableKind = { what: string; routes: readonly string[]; isKept: boolean };

/** Throws 404, which says why if the log knows the call. */
export const fetchAnswer = async (
  { db }: Platform,
  { project, mode }: Caller,
  id: string,
  kind: FetchableKind,
): Promise<FetchedAnswer> => {
  const find = (callId: string) => findCall(db, project.id, callId, mode);
  const call = await find(callIdOf(id));
  if (call === undefined || !kind.routes.includes(call.route)) throw notFound(`The ${kind.what}`);
  const opened = unpackCall(call);
  const { details, prompt, output } = opened;
  const reason = whyNot(call, opened, kind);
  if (reason !== undefined) throw new ApiError("not_found", `The ${kind.what} cannot be fetched: ${reason}`);
  const messages = prompt!.messages as ChatMessage[];
  const earlier = details.reusedFrom === undefined ? undefined : await find(details.reusedFrom);
  const attempt = earlier === undefined ? attemptOf(call, details) : attemptOf(earlier, unpackCall(earlier).details);
  return {
    ...answerOf(output!),
    entry: entryOf(call, opened),
    startedAtMs: call.started_at,
    details,
    ...(attempt && { attempt }),
    ...(details.hasInstructions && { instructions: String(messages[0]!.content) }),
    messages: messages.slice(details.hasInstructions ? 1 : 0),
  };
};

const whyNot = (
  call: StoredDetail,
  { details, prompt, output }: ReturnType<typeof unpackCall>,
  { isKept }: FetchableKind,
): string | undefined => {
  if (call.status !== 200) return "its call failed.";
  if (details.textsDeleted) return "it was deleted.";
  if (details.redacted) return "a content policy redacts what is stored.";
  if (output === undefined || !Array.isArray(prompt?.messages)) return "this project stores no prompts and answers.";
  if (details.echo ?? isKept) return undefined;
  return isKept ? "it was made with `store: false`." : "it was made without `store: true`.";
};

/** Of a stream it is not noted, because it is the last one of the model that was heard. */
const attemptOf = ({ model }: StoredDetail, { attempts = [] }: Partial<CallDetails>): Attempt | undefined =>
  attempts.find(({ isGiven }) => isGiven) ?? attempts.findLast((attempt) => attempt.model === model);

/** Whether the log will have the texts of the project's calls as they are, so that they can be fetched. */
export const keepsTexts = async (platform: Platform, { project }: Caller): Promise<boolean> =>
  project.settings.storeBodies !== false && (await platform.policies.of(project.id)).logs === undefined;
