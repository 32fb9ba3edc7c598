/**
 * Finds a local Ollama and other local servers, so that they need no configuration (decisions §1), and adds their models to the catalog.
 */

import type { Ability, ChatModel } from "../../catalog/model.ts";
import { strengthFrom } from "../../catalog/model-strength.ts";
import { ownValue } from "../../lib/own-value.ts";
import type { Platform } from "../../platform.ts";
import { type Connection, isOnThisMachine } from "../connections.ts";
import { discoverOllama } from "../ollama/discover-ollama.ts";
import { discoverOpenAiServer } from "../openai/discover-openai-server.ts";
import { DISCOVERY_TIMEOUT_MS, type DiscoveredModel, type Discovery } from "./discovered-model.ts";
import { LOCAL_OPENAI_SERVERS } from "./local-servers.ts";

/** Never throws: a server that is not there is simply not found. */
export const discoverLocalServers = async (platform: Platform): Promise<Discovery> => {
  const servers = [ollamaServer(platform), ...LOCAL_OPENAI_SERVERS.map(openAiServer)];
  const found = await Promise.all(servers.map((server) => discover(platform, server)));
  return { models: found.flatMap(({ models }) => models), connections: found.flatMap(({ connections }) => connections) };
};

/** At the configured address, if there is one. */
const ollamaServer = ({ catalog, providers }: Platform): Connection => {
  const entry = catalog.provider("ollama")!;
  const configured = providers.connections().find((known) => known.entry.id === "ollama" && known.source !== "discovered");
  const baseUrl = configured?.baseUrl ?? entry.baseUrl!;
  return { entry, baseUrl, keys: [], headers: {}, source: "discovered", isLocal: configured === undefined };
};

const openAiServer = ({ id, name, baseUrl }: (typeof LOCAL_OPENAI_SERVERS)[number]): Connection => ({
  entry: { id, name, dialect: "openai", keyVariables: [], baseUrlVariables: [], services: ["chat", "embeddings"] },
  baseUrl,
  keys: [],
  headers: {},
  source: "discovered",
  isLocal: true,
});

const NOTHING: Discovery = { models: [], connections: [] };

const discover = async ({ providers, config }: Platform, server: Connection): Promise<Discovery> => {
  const { entry, baseUrl, isLocal } = server;
  // Our own server answers /v1/models, too.
  if (isLocal && Number(new URL(baseUrl).port) === config.port) return NOTHING;
  const transport = isOnThisMachine(server) ? providers.localTransport : providers.transport;
  const signal = AbortSignal.timeout(DISCOVERY_TIMEOUT_MS);
  try {
    const models = await (entry.dialect === "ollama"
      ? discoverOllama(transport, baseUrl, signal)
      : discoverOpenAiServer(transport, { id: entry.id, baseUrl }, signal));
    // Any program may answer at the ports of the other servers.
    if (models.length === 0 && entry.dialect !== "ollama") return NOTHING;
    return { models: models.filter(isChatModel).map((model) => toChatModel(entry.id, model)), connections: [server] };
  } catch {
    return NOTHING;
  }
};

/** Others embed texts, or make pictures. */
const isChatModel = ({ capabilities }: DiscoveredModel): boolean =>
  capabilities.length === 0 || capabilities.includes("completion");

const ABILITIES: Record<string, Ability[]> = {
  tools: ["tools", "parallel_tools"],
  vision: ["vision"],
  audio: ["audio_input"],
  thinking: ["reasoning"],
};
const FREE = { inputNanoUsd: 0, cacheReadNanoUsd: 0, cacheWriteNanoUsd: 0, outputNanoUsd: 0 };
/** Gap: a local model is assumed to be small until the deployment's own log says otherwise. */
const LOCAL_STRENGTH = 0.6;
const ASSUMED_CONTEXT = 8_192;
/** Gap: Ollama reserves memory for the whole answer before the first token, so without the caller's bound it is kept moderate. */
const OLLAMA_OUTPUT = 4_096;
const OLLAMA_THINKING_OUTPUT = 16_384;

const toChatModel = (provider: string, { id, contextWindow, capabilities }: DiscoveredModel): ChatModel => ({
  id,
  provider,
  upstreamModel: id,
  name: id,
  contextWindow: contextWindow ?? ASSUMED_CONTEXT,
  maxOutputTokens: Math.min(contextWindow ?? ASSUMED_CONTEXT, 32_768),
  prices: FREE,
  abilities: ["json_mode", "json_schema", ...capabilities.flatMap((capability) => ownValue(ABILITIES, capability) ?? [])],
  strength: strengthFrom(LOCAL_STRENGTH),
  tokensPerSecond: 30,
  firstTokenMs: 500,
  ...(provider === "ollama" && {
    usualOutputTokens: capabilities.includes("thinking") ? OLLAMA_THINKING_OUTPUT : OLLAMA_OUTPUT,
  }),
});
