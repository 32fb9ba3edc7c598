/**
 * Tools by names that their vendor takes: servers of tools have longer names, and such with dots and blanks, which would be refused with the
 * whole request. A caller hears of its tools by its own names.
 */

import { shortHash } from "./dialect/tool-call-ids.ts";
import type { ChatRequest, ChatResult, TakeEvents } from "./provider.ts";

const LONGEST_KEPT = 48;
const HASH_LENGTH = 12;

/** The same in every request: what was called in one is there in the next. */
const otherName = (name: string): string => {
  const kept = name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, LONGEST_KEPT);
  return `${/^[A-Za-z_]/.test(kept) ? "" : "_"}${kept}_${shortHash(name, HASH_LENGTH)}`;
};

type Renamed = {
  /** As the vendor takes it. */
  request: ChatRequest;
  toResult(result: ChatResult): ChatResult;
  toEvents(take: TakeEvents): TakeEvents;
};

const namesIn = ({ tools = [], messages }: ChatRequest): string[] => [
  ...tools.map(({ name }) => name),
  ...messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []).map(({ name }) => name) : [])),
];

/** `taken`: names that the vendor takes; absent where it takes all. */
export const renameTools = (request: ChatRequest, taken: RegExp | undefined): Renamed => {
  const refused = taken ? namesIn(request).filter((name) => !taken.test(name)) : [];
  if (refused.length === 0) return { request, toResult: (result) => result, toEvents: (take) => take };
  const others = new Map(refused.map((name) => [name, otherName(name)]));
  const own = new Map([...others].map(([name, other]) => [other, name]));
  const renamedBy =
    (names: Map<string, string>) =>
    <Named extends { name: string }>(named: Named): Named => ({ ...named, name: names.get(named.name) ?? named.name });
  const rename = renamedBy(others);
  const restore = renamedBy(own);
  const { tools, toolChoice, messages } = request;
  return {
    request: {
      ...request,
      ...(tools && { tools: tools.map(rename) }),
      ...(typeof toolChoice === "object" && { toolChoice: rename(toolChoice) }),
      messages: messages.map((message) =>
        message.role === "assistant" && message.toolCalls ? { ...message, toolCalls: message.toolCalls.map(rename) } : message,
      ),
    },
    toResult: (result) => ({ ...result, toolCalls: result.toolCalls.map(restore) }),
    toEvents: (take) => (events) => take(events.map((event) => (event.type === "tool-start" ? restore(event) : event))),
  };
};
