/** The functions that a model may call in the playground, as typed; the user supplies their results. */

export const EXAMPLE_TOOLS = `[
  {
    "type": "function",
    "function": {
      "name": "get_weather",
      "description": "The weather of a city today",
      "parameters": {
        "type": "object",
        "properties": { "city": { "type": "string" } },
        "required": ["city"]
      }
    }
  }
]`;

/** Empty if nothing is typed; a single tool needs no list. The server checks their shape. */
export const readTools = (text: string): { tools: unknown[]; problem: string | null } => {
  if (text.trim() === "") return { tools: [], problem: null };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return { tools: [], problem: "Tools are a JSON list of functions." };
    return { tools: Array.isArray(value) ? value : [value], problem: null };
  } catch (error) {
    return { tools: [], problem: (error as Error).message };
  }
};
