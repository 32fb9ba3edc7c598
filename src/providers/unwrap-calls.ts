/**
 * OpenAI's models now and then write several calls as one, of a tool that nobody offered: `parallel` with a list of `tool_uses`. It is
 * told as the calls that it holds, if all of them are of offered tools.
 */

import { jsonOf } from "../lib/is-json.ts";
import { isRecord } from "../lib/is-record.ts";
import { recordsAt, textAt } from "../lib/json-at.ts";
import { newToolCallId } from "./dialect/tool-call-ids.ts";
import type { ChatEvent, ChatRequest, TakeEvents } from "./provider.ts";

const WRAPPERS = ["parallel", "multi_tool_use.parallel", "multi_tool_use_parallel"];

type Start = ChatEvent & { type: "tool-start" };
type Wrapper = { start: Start; text: string };
type Call = { name: string; text: string };

/** Undefined if anything else is in it. */
const callsWithin = (text: string, offered: ReadonlySet<string>): Call[] | undefined => {
  const uses = recordsAt(jsonOf(text), "tool_uses");
  const calls = uses.map(({ recipient_name: recipient, parameters }) => ({
    name: textAt(recipient).replace(/^functions\./, ""),
    text: isRecord(parameters) ? JSON.stringify(parameters) : "",
  }));
  return calls.length > 0 && calls.every((call) => offered.has(call.name) && call.text !== "") ? calls : undefined;
};

export const unwrapCalls = (take: TakeEvents, { tools = [] }: ChatRequest): TakeEvents => {
  if (tools.length === 0) return take;
  const offered = new Set(tools.map(({ name }) => name));
  const isWrapper = (event: ChatEvent): boolean =>
    event.type === "tool-start" && WRAPPERS.includes(event.name) && !offered.has(event.name);
  /** By the vendor's index: where the other calls are told, and those that wait for their end. */
  const places = new Map<number, number>();
  const wrappers = new Map<number, Wrapper>();

  const unwrapAll = (): ChatEvent[] => {
    let next = places.size;
    return [...wrappers.values()].flatMap(({ start, text }) =>
      (callsWithin(text, offered) ?? [{ name: start.name, text }]).flatMap((call, nth): ChatEvent[] => {
        const index = next++;
        const id = nth === 0 ? start.id : newToolCallId();
        return [
          { type: "tool-start", index, id, name: call.name },
          { type: "tool-arguments", index, text: call.text },
        ];
      }),
    );
  };
  const follow = (event: ChatEvent): ChatEvent[] => {
    if (event.type === "finish") return [...unwrapAll(), event];
    if (event.type !== "tool-start" && event.type !== "tool-arguments") return [event];
    if (isWrapper(event)) wrappers.set(event.index, { start: event as Start, text: "" });
    const wrapper = wrappers.get(event.index);
    if (event.type === "tool-start" && !wrapper) places.set(event.index, places.size);
    if (!wrapper) return [{ ...event, index: places.get(event.index)! }];
    if (event.type === "tool-arguments") wrapper.text += event.text;
    return [{ type: "held", soFar: wrapper.text }];
  };
  return (events) => {
    if (wrappers.size > 0 || events.some(isWrapper)) return take(events.flatMap(follow));
    for (const event of events) if (event.type === "tool-start") places.set(event.index, places.size);
    return take(events);
  };
};
