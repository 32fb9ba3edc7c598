/** Some servers give several calls of one answer the same id. All but the first get a new one, so that each result belongs to one call. */

import { bareId, newToolCallId } from "./dialect/tool-call-ids.ts";
import type { ChatEvent, TakeEvents } from "./provider.ts";

const isStart = ({ type }: ChatEvent): boolean => type === "tool-start";

export const tellCallsApart = (take: TakeEvents): TakeEvents => {
  const taken = new Set<string>();
  /** Signatures inside the id are kept. */
  const apart = (event: ChatEvent): ChatEvent => {
    if (event.type !== "tool-start") return event;
    const id = bareId(event.id);
    if (taken.has(id)) return { ...event, id: newToolCallId() + event.id.slice(id.length) };
    taken.add(id);
    return event;
  };
  return (events) => take(events.some(isStart) ? events.map(apart) : events);
};
