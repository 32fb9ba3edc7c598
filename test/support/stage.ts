/** A stage through which the events of an answer pass, under test: events go in by lists, as they would arrive. */

import type { ChatEvent, ChatResult, TakeEvents } from "../../src/providers/provider.ts";
import { createCollector } from "../../src/providers/upstream/collect-answer.ts";

export const asText = (text: string): ChatEvent => ({ type: "text", text });

/** The text in pieces of this size, each a list of its own. */
export const piecesOf = (text: string, size: number): ChatEvent[][] =>
  (text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []).map((piece) => [asText(piece)]);

/** All events that the stage told until it wanted no more, and whether it does. */
export const passed = (
  stage: (take: TakeEvents) => TakeEvents,
  lists: readonly (readonly ChatEvent[])[],
): { told: ChatEvent[]; goesOn: boolean } => {
  const told: ChatEvent[] = [];
  const take = stage((events) => told.push(...events) > 0);
  return { told, goesOn: lists.every((list) => take(list)) };
};

/** What the events say, as one answer. */
export const collected = (events: readonly ChatEvent[]): ChatResult => {
  const { result, take } = createCollector();
  take(events);
  return result;
};
