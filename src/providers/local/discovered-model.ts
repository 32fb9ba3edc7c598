/** What a local server reports about a model, and how long it may take to answer. */

export type DiscoveredModel = {
  id: string;
  /** In tokens; absent if the server does not say. */
  contextWindow?: number;
  /** In Ollama's terms: completion, tools, vision, audio, thinking, embedding, … Empty if the server does not say. */
  capabilities: string[];
};

export const DISCOVERY_TIMEOUT_MS = 3_000;
export const MOST_DISCOVERED = 200;
