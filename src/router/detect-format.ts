/** The shape an answer is asked to have, read from the instruction: the log's `detected_format`. */

export type DetectedFormat = "text" | "json" | "code" | "table" | "list";

export function detectFormat(instruction: string, hasSchema: boolean): DetectedFormat {
  const text = instruction.toLowerCase();
  if (hasSchema || /\bjson\b/.test(text)) return "json";
  if (/\b(?:table|csv|tabular|spreadsheet|columns)\b/.test(text)) return "table";
  if (/\b(?:bullets?|bulleted|bullet points|numbered list|list of|as a list|one per line)\b/.test(text)) return "list";
  if (/```|\b(?:function|sql|regex|python|javascript|typescript|code|script|query)\b/.test(text)) return "code";
  return "text";
}
