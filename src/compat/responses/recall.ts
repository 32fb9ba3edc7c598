/**
 * Resolves references to earlier responses and their items. Nothing is stored for this: the log has every answer and its conversation, for
 * as long as the project keeps them.
 */

import type { Caller } from "../../accounts/authenticate.ts";
import { invalidRequest } from "../../api-error.ts";
import { BOUNDS } from "../../limits/bounds.ts";
import { type RecalledCall, recallCall } from "../../logs/recall-call.ts";
import type { Platform } from "../../platform.ts";
import { bareId } from "../../providers/dialect/tool-call-ids.ts";
import type { ChatMessage, ToolCall } from "../../providers/provider.ts";
import { isKnownItem, isReference } from "./input-wire.ts";
import type { ResponsesBody } from "./wire.ts";

/** An item of an earlier answer: its text, or a function call. */
type PastItem = { text: string } | { call: ToolCall };

export type Past = {
  /** The conversation up to and including the referenced response. */
  conversation: ChatMessage[];
  /** Undefined if the log does not have the item (any more). */
  itemOf(id: string): PastItem | undefined;
};

const ROUTE = "/v1/responses";
/** Bounds the number of reads of the log. */
const MOST_CALLS = 200;
/** Ids such as `resp_…`, `rs_…_0`, `msg_…_0`, `fc_…_1`: the call they belong to, and the item's position among those of its kind. */
const ID = /^(resp|rs|msg|fc|ctc|tsc)_([0-9a-f]{32})(?:_(\d{1,4}))?$/;

const callIdOf = (id: string): string | undefined => {
  const base = ID.exec(id)?.[2];
  return base && `call_${base}`;
};

/** Throws 400 if the log does not have the referenced response unchanged. */
export const recallPast = async ({ db }: Platform, { project, mode }: Caller, body: ResponsesBody): Promise<Past> => {
  const input = typeof body.input === "string" ? [] : body.input;
  const previous = body.previous_response_id;
  const ids = new Set([...input.filter(isReference).map(({ id }) => id), ...(previous ? [previous] : [])].map(callIdOf));
  const calls = new Map<string, RecalledCall>();
  for (const id of [...ids].slice(-MOST_CALLS)) {
    const call = id === undefined ? undefined : await recallCall(db, project.id, id, mode);
    if (call?.route === ROUTE) calls.set(id!, call);
  }
  const sealed = sealedIds(input);
  const recalled = (id: string): RecalledCall | undefined => calls.get(callIdOf(id) ?? "");
  return {
    conversation: previous ? goOn(recalled(previous), sealed) : [],
    itemOf: (id) => itemAt(recalled(id), id, sealed),
  };
};

const goOn = (call: RecalledCall | undefined, sealed: SealedIds): ChatMessage[] => {
  const messages = call?.messages;
  if (call === undefined || messages === undefined)
    throw invalidRequest(
      "`previous_response_id` is not the id of a response that was made without `store: false` and is still in the log unchanged (pictures and files are not kept there): send the whole conversation in `input`, earlier answers included.",
      "previous_response_id",
    );
  // Every answer in a chain is stored, and read, with the whole conversation before it.
  if (JSON.stringify(messages).length > BOUNDS.mediaBodyBytes)
    throw invalidRequest(
      "The conversation of `previous_response_id` is longer than a request may be: send the part that is still needed in `input`.",
      "previous_response_id",
    );
  return [...messages, { ...call.answer, ...(call.answer.toolCalls && { toolCalls: call.answer.toolCalls.map(sealed) }) }];
};

/** The log has an answer's text as one string, so the first of its messages stands for all, whatever calls were streamed between them. */
const itemAt = (call: RecalledCall | undefined, id: string, sealed: SealedIds): PastItem | undefined => {
  if (call === undefined) return undefined;
  const [, kind, , place] = ID.exec(id)!;
  const { content, toolCalls = [] } = call.answer;
  const at = Number(place);
  // The log keeps no thinking.
  if (kind === "rs") return { text: "" };
  if (kind === "msg") return at <= toolCalls.length ? { text: at === 0 ? String(content) : "" } : undefined;
  return toolCalls[at] && { call: sealed(toolCalls[at]) };
};

type SealedIds = (call: ToolCall) => ToolCall;

/** The log keeps calls without their vendor's sealed thinking, which comes back inside the ids of their results. */
const sealedIds = (input: Exclude<ResponsesBody["input"], string>): SealedIds => {
  const ids = new Map<string, string>();
  for (const item of input)
    if (isKnownItem(item) && "call_id" in item && item.call_id) ids.set(bareId(item.call_id), item.call_id);
  return (call) => ({ ...call, id: ids.get(call.id) ?? call.id });
};
