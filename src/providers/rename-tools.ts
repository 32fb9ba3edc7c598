/**
 * Renames tools whose names the vendor would refuse with the whole request: MCP servers have long names, and names with dots and spaces.
 * In the answer, the tools have the caller's names again.
 */

import { callsIn } from "./dialect/message-parts.ts";
import { shortHash } from "./dialect/tool-call-ids.ts";
import type { ChatRequest, TakeEvents } from "./provider.ts";

const LONGEST_KEPT = 48;
const HASH_LENGTH = 12;

/** A name is replaced by the same one in every request, because the next request repeats the calls of this one. */
const otherName = (name: string): string => {
  const kept = name.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, LONGEST_KEPT);
  return `${/^[A-Za-z_]/.test(kept) ? "" : "_"}${kept}_${shortHash(name, HASH_LENGTH)}`;
};

type Renamed = {
  /** With names that the vendor accepts. */
  request: ChatRequest;
  /** Gives the tools of an answer the caller's names again. */
  restoring(take: TakeEvents): TakeEvents;
};

const namesIn = ({ tools = [], messages }: ChatRequest): string[] => [
  ...tools.map(({ name }) => name),
  ...messages.flatMap(callsIn).map(({ name }) => name),
];

/** `taken`: the names that the vendor accepts; undefined if it accepts any. */
export const renameTools = (request: ChatRequest, taken: RegExp | undefined): Renamed => {
  const refused = taken ? namesIn(request).filter((name) => !taken.test(name)) : [];
  if (refused.length === 0) return { request, restoring: (take) => take };
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
    restoring: (take) => (events) => take(events.map((event) => (event.type === "tool-start" ? restore(event) : event))),
  };
};
