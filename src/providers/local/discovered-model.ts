/** What a local server reports about a model, how long it may take to answer, and what is found of all of them. */

import type { ChatModel } from "../../catalog/model.ts";
import type { Connection } from "../connections.ts";

export type DiscoveredModel = {
  id: string;
  /** In tokens; absent if the server does not say. */
  contextWindow?: number;
  /** In Ollama's terms: completion, tools, vision, audio, thinking, embedding, … Empty if the server does not say. */
  capabilities: string[];
};

export const DISCOVERY_TIMEOUT_MS = 3_000;
export const MOST_DISCOVERED = 200;

/** Models of local servers, and how to reach those servers. */
export type Discovery = { models: ChatModel[]; connections: Connection[] };
