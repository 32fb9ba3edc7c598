/** Some servers give several calls of one answer the same id. All but the first get a new one, so that each result belongs to one call. */

import { bareId, newToolCallId } from "./dialect/tool-call-ids.ts";
import type { ChatEvent, TakeEvents } from "./provider.ts";

type Identified = { id: string };

/** Returns a function that replaces the ids of calls whose id another call has; signatures inside the id are kept. */
const createReplacer = () => {
  const taken = new Set<string>();
  return <Call extends Identified>(call: Call): Call => {
    const id = bareId(call.id);
    if (taken.has(id)) return { ...call, id: newToolCallId() + call.id.slice(id.length) };
    taken.add(id);
    return call;
  };
};

const beginsCall = ({ type }: ChatEvent): boolean => type === "tool-start";

export const tellCallsApart = (take: TakeEvents): TakeEvents => {
  let replace: ReturnType<typeof createReplacer> | undefined;
  return (events) => {
    if (!events.some(beginsCall)) return take(events);
    replace ??= createReplacer();
    const apart = replace;
    return take(events.map((event) => (event.type === "tool-start" ? apart(event) : event)));
  };
};
