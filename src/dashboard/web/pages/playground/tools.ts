/** The functions that a model may call in the playground, as they are typed; the person answers in their place. */

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

/** None where nothing is typed; one alone may stand without its list. What they must look like is the server's to say. */
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
