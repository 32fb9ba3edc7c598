/** Messages as chat takes them, and as people read them. */

export type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };
export type Message = { role: string; content: unknown; tool_calls?: ToolCall[]; tool_call_id?: string };

/** A message's content as text: parts that are none are named, so that nothing is lost in silence. */
export const messageText = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map((part) => part?.text ?? `[${part?.type ?? "part"}]`).join("\n");
  return content == null ? "" : JSON.stringify(content, null, 2);
};

/** With the tools that the message calls. */
export const wholeText = ({ content, tool_calls: calls = [] }: Message): string =>
  [messageText(content), ...calls.map((call) => `${call.function.name}(${call.function.arguments})`)]
    .filter((text) => text !== "")
    .join("\n");
