/** How much output a server would accept, where it refuses a request's bound as too large. */

type Limit = {
  tokens: number;
  /** What the window leaves beside this request's prompt, not a limit of the model. */
  once: boolean;
};

/** vLLM, in its words of today and of before, which were OpenAI's. */
const OF_WINDOW =
  /maximum context length is (\d{1,9}) tokens\b.{1,60}?\b(?:your request has|you requested \d{1,9} tokens \()\s?(\d{1,9}) (?:input tokens|in the messages)/i;

/** OpenAI, Groq, DeepSeek and Qwen. */
const OF_MODEL =
  /(?:supports at most |max_(?:completion_)?tokens[`'"]? must be less than or equal to [`'"]?|range of max_tokens (?:is|should be) \[\d{1,9}, ?)(\d{1,9})/i;

/** With less room than this for an answer, the prompt is too long. */
const LEAST_LEFT = 256;

/** Undefined if the message is about something else, or if the prompt is too long. */
export const outputLimit = (message: string): Limit | undefined => {
  const text = message.slice(0, 1_000);
  const [, window, prompt] = OF_WINDOW.exec(text) ?? [];
  const left = Number(window) - Number(prompt);
  if (left >= LEAST_LEFT) return { tokens: left, once: true };
  const most = Number(OF_MODEL.exec(text)?.[1]);
  return most > 0 ? { tokens: most, once: false } : undefined;
};

/** The name under which such a refusal is learned. */
export const OUTPUT_BOUND = "output bound";

export const boundParameter = ({ tokens }: Limit): string => `${OUTPUT_BOUND}.${tokens}`;

/** Lowers the bound in any of these `fields` to that of the parameter. */
export const lowerBound = (body: Record<string, unknown>, param: string, fields: readonly string[]): void => {
  const most = Number(param.slice(OUTPUT_BOUND.length + 1));
  for (const field of fields) if (Number(body[field]) > most) body[field] = most;
};
