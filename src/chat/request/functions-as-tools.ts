/**
 * OpenAI's `functions`, which its SDKs still support, read as the `tools` that replaced them. A function call has no id, so its position in
 * the conversation serves as one.
 */

import type { WireMessage } from "../message-wire.ts";
import type { ChatBody } from "../wire.ts";

export type ToolMessage = Exclude<WireMessage, { role: "function" }>;
type ToolBody = Omit<ChatBody, "messages"> & { messages: ToolMessage[] };

/** Whether the answer tells calls in the older form, too. */
export const hasFunctions = ({ functions }: ChatBody): boolean => (functions ?? []).length > 0;

export const functionsAsTools = (body: ChatBody): ToolBody => {
  const messages = messagesWithIds(body.messages);
  if (!hasFunctions(body)) return { ...body, messages };
  const { functions, function_call: choice } = body;
  const declared = functions!.map((definition) => ({ type: "function" as const, function: definition }));
  return {
    ...body,
    messages,
    tools: [...(body.tools ?? []), ...declared],
    ...(choice && { tool_choice: typeof choice === "string" ? choice : { type: "function", function: choice } }),
    parallel_tool_calls: false,
  };
};

/** A function's result belongs to the call before it. */
const messagesWithIds = (messages: readonly WireMessage[]): ToolMessage[] => {
  let id = "";
  return messages.map((message, index) => {
    if (message.role === "function") return { role: "tool", tool_call_id: id || `call_${index}`, content: message.content ?? "" };
    if (message.role !== "assistant" || message.function_call == null) return message;
    id = `call_${index}`;
    return { ...message, tool_calls: [{ id, function: message.function_call }] };
  });
};
