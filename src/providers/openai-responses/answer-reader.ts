/** Reads responses, whole or event by event. Event names are not needed, since each event's JSON has its type. */

import { isRecord } from "../../lib/is-record.ts";
import { recordAt, recordsAt, textAt } from "../../lib/json-at.ts";
import { argumentsText } from "../dialect/message-parts.ts";
import { parseFrame } from "../dialect/parse-frame.ts";
import type { AnswerReader, ReadOptions } from "../dialect/wire-dialect.ts";
import { readUsage } from "../openai/read-choice.ts";
import { citationsOfItems, joinCitations } from "../openai/read-citations.ts";
import type { ChatEvent } from "../provider.ts";
import { brokenAnswer } from "../upstream/upstream-failure.ts";
import { mapResponsesError } from "./map-error.ts";
import { BETWEEN, citationsIn, endOf, failureOf, partsIn, reasoningIn } from "./read-items.ts";
import { sealedCallId, sealOf } from "./sealed-thoughts.ts";

type Json = Record<string, unknown>;
type Words = "text" | "refusal" | "reasoning";
type OpenCall = { index: number; sawArguments: boolean };

type State = {
  provider: string;
  /** By the item's index in the output and by its id, since events may name either. */
  calls: Map<unknown, OpenCall>;
  callCount: number;
  /** Sealed reasoning since the last call. */
  seals: string[];
  /** All words so far. */
  told: Record<Words, string>;
  /** The part that the last of them belong to. */
  latest: Partial<Record<Words, unknown>>;
  /** How long the thinking was when its latest item ended. */
  thoughtBefore: number;
  /** The items that have ended. */
  items: Json[];
  events: ChatEvent[];
};

/** `part`: where it belongs. Messages stand apart, and so do the parts of the thinking. */
const push = (state: State, type: Words, part: unknown, text: string): void => {
  if (text === "") return;
  const isNext = state.told[type] !== "" && state.latest[type] !== part;
  state.latest[type] = part;
  add(state, type, isNext ? BETWEEN + text : text);
};

const add = (state: State, type: Words, text: string): void => {
  if (text === "") return;
  if (type === "refusal" && state.told.refusal === "" && state.told.text !== "") add(state, "text", BETWEEN);
  state.told[type] += text;
  state.events.push({ type, text });
};

/** Some servers write `null` for no arguments. */
const pushArguments = (state: State, call: OpenCall | undefined, text: string): void => {
  if (call === undefined || text === "" || (text === "null" && !call.sawArguments)) return;
  call.sawArguments = true;
  state.events.push({ type: "tool-arguments", index: call.index, text });
};

/** For servers that send no deltas: takes the call's arguments at its end if none came before. */
const completeArguments = (state: State, call: OpenCall | undefined, whole: unknown): void => {
  if (!call?.sawArguments) pushArguments(state, call, argumentsText(whole));
};

/** Undefined as long as the call has no name. */
const startCall = (state: State, place: unknown, item: Json): OpenCall | undefined => {
  const id = textAt(item, "id");
  const known = state.calls.get(place) ?? state.calls.get(id);
  const name = textAt(item, "name");
  if (known || name === "") return known;
  const call = { index: state.callCount++, sawArguments: false };
  state.calls.set(place, call);
  if (id !== "") state.calls.set(id, call);
  state.events.push({ type: "tool-start", index: call.index, id: sealedCallId(item, state.seals), name });
  state.seals = [];
  return call;
};

/** What came without deltas is told before the text that follows it. */
const endThinking = (state: State, place: unknown, item: Json): void => {
  const { told } = state;
  if (told.reasoning.length === state.thoughtBefore) push(state, "reasoning", place, reasoningIn([item]));
  state.thoughtBefore = told.reasoning.length;
};

/** Reasoning carries its seal when it is complete. Some servers give all calls the same id, so it names only one that has not ended. */
const endItem = (state: State, place: unknown, item: Json): void => {
  if (item["type"] === "reasoning") state.seals.push(sealOf(item));
  if (item["type"] !== "function_call") return;
  completeArguments(state, startCall(state, place, item), item["arguments"]);
  state.calls.delete(textAt(item, "id"));
};

/** Adds what came without deltas: some servers send whole items, or the end of a text only here (xAI). */
const completeItems = (state: State, items: Json[]): void => {
  const { told } = state;
  add(state, "reasoning", restOf(reasoningIn(items), told.reasoning));
  add(state, "text", restOf(partsIn(items, "output_text", "text"), told.text));
  add(state, "refusal", restOf(partsIn(items, "refusal", "refusal"), told.refusal));
  if (state.callCount > 0) return;
  state.seals = [];
  for (const item of items) endItem(state, item, item);
};

const restOf = (whole: string, beginning: string): string => (whole.startsWith(beginning) ? whole.slice(beginning.length) : "");

const finish = (state: State, response: Json): true => {
  const told = recordsAt(response, "output");
  const items = told.length > 0 ? told : state.items;
  if (response["status"] !== "failed") completeItems(state, items);
  const usage = readUsage(response["usage"]);
  if (usage) state.events.push({ type: "usage", usage });
  const reason = endOf(response, state.callCount > 0, state.provider);
  for (const call of state.calls.values()) completeArguments(state, call, undefined);
  state.events.push({ type: "finish", reason, ...joinCitations(citationsIn(items), citationsOfItems(items)) });
  return true;
};

/** The item that an event belongs to. */
const placeOf = ({ output_index: index, item_id: id, item }: Json): unknown => index ?? id ?? textAt(item, "id");

/** True for the last event. Unknown events are ignored. */
const readEvent = (state: State, event: Json): boolean => {
  const { delta } = event;
  const place = placeOf(event);
  switch (event["type"]) {
    case "response.output_text.delta":
      push(state, "text", place, textAt(delta));
      return false;
    case "response.function_call_arguments.delta":
      pushArguments(state, state.calls.get(place), textAt(delta));
      return false;
    case "response.refusal.delta":
      push(state, "refusal", place, textAt(delta));
      return false;
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      push(state, "reasoning", `${place} ${event["summary_index"]} ${event["content_index"]}`, textAt(delta));
      return false;
    case "response.output_item.added":
      if (recordAt(event, "item")["type"] === "function_call") startCall(state, place, recordAt(event, "item"));
      return false;
    case "response.function_call_arguments.done":
      completeArguments(state, state.calls.get(place), event["arguments"]);
      return false;
    case "response.output_item.done": {
      const item = recordAt(event, "item");
      state.items.push(item);
      if (item["type"] === "reasoning") endThinking(state, place, item);
      endItem(state, place, item);
      return false;
    }
    case "response.completed":
    case "response.done":
    case "response.incomplete":
      return finish(state, recordAt(event, "response"));
    case "response.failed": {
      const response = recordAt(event, "response");
      // Perplexity puts the error beside the response.
      return finish(state, { ...response, status: "failed", error: response["error"] ?? event["error"] });
    }
    default: {
      if (event["type"] !== "error" && !event["error"]) return false;
      const { provider } = state;
      throw mapResponsesError({ provider, status: 0, body: { error: event["error"] || event }, accepted: true });
    }
  }
};

export const createResponsesReader = ({ provider }: ReadOptions, events: ChatEvent[]): AnswerReader => {
  const state: State = {
    provider,
    calls: new Map(),
    callCount: 0,
    seals: [],
    told: { text: "", refusal: "", reasoning: "" },
    latest: {},
    thoughtBefore: 0,
    items: [],
    events,
  };
  return {
    readWhole(body) {
      const response = recordAt(body);
      if (!Array.isArray(response["output"])) throw failureOf(response, provider, readUsage(response["usage"]));
      finish(state, response);
    },
    readFrame(frame) {
      const event = parseFrame(frame, provider);
      return isRecord(event) && readEvent(state, event);
    },
    end() {
      throw brokenAnswer("truncated", provider);
    },
  };
};
