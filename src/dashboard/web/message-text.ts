/** A message's content as text: parts that are none are named, so that nothing is lost in silence. */
export const messageText = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map((part) => part?.text ?? `[${part?.type ?? "part"}]`).join("\n");
  return content == null ? "" : JSON.stringify(content, null, 2);
};
