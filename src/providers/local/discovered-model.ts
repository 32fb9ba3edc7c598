/** What a local server says of a model that it serves, and how long it is asked. */

export type DiscoveredModel = {
  id: string;
  /** Tokens; absent where the server does not say. */
  contextWindow?: number;
  /** As Ollama names them: completion, tools, vision, thinking, embedding, … Empty where the server does not say. */
  capabilities: string[];
};

export const DISCOVERY_TIMEOUT_MS = 5_000;
export const MOST_DISCOVERED = 200;
