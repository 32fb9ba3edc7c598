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
type Call = { name: string; text: string };

const isStart = (event: ChatEvent): event is Start => event.type === "tool-start";

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
  const isWrapper = ({ name }: Start): boolean => WRAPPERS.includes(name) && !offered.has(name);
  let told = 0;
  /** From the first wrapper on, all calls wait for the end, by the vendor's index: only then it is known how many there are. */
  const waiting = new Map<number, { start: Start; text: string }>();
  let held = "";

  const tellAll = (): ChatEvent[] =>
    [...waiting.values()].flatMap(({ start, text }) => {
      const within = isWrapper(start) ? callsWithin(text, offered) : undefined;
      return (within ?? [{ name: start.name, text }]).flatMap((call, nth): ChatEvent[] => {
        const index = told++;
        return [
          { type: "tool-start", index, id: nth === 0 ? start.id : newToolCallId(), name: call.name },
          { type: "tool-arguments", index, text: call.text },
        ];
      });
    });
  const follow = (event: ChatEvent): ChatEvent[] => {
    if (event.type === "finish") return waiting.size > 0 ? [{ type: "held", soFar: "" }, ...tellAll(), event] : [event];
    if (isStart(event)) {
      if (waiting.size > 0 || isWrapper(event)) waiting.set(event.index, { start: event, text: "" });
      else told++;
    }
    const call = event.type === "tool-start" || event.type === "tool-arguments" ? waiting.get(event.index) : undefined;
    if (!call) return [event];
    if (event.type === "tool-arguments") {
      call.text += event.text;
      held += event.text;
    }
    return [{ type: "held", soFar: held }];
  };
  return (events) => take(waiting.size > 0 || events.some(isStart) ? events.flatMap(follow) : events);
};
