/** Chat messages, and how they are shown as text. */

export type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };
export type Message = { role: string; content: unknown; reasoning_content?: string | null; tool_calls?: ToolCall[] };

/** A message's content as text. Other parts are named, so that nothing is silently omitted. */
export const messageText = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map((part) => part?.text ?? `[${part?.type ?? "part"}]`).join("\n");
  return content == null ? "" : JSON.stringify(content, null, 2);
};

/** The content, followed by the message's tool calls. */
export const wholeText = ({ content, tool_calls: calls = [] }: Message): string =>
  [messageText(content), ...calls.map((call) => `${call.function.name}(${call.function.arguments})`)]
    .filter((text) => text !== "")
    .join("\n");
