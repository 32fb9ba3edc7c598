/**
 * Finds a local Ollama and other local servers, so that they need no configuration (decisions §1), and adds their models to the catalog.
 */

import type { Ability, ChatModel } from "../../catalog/model.ts";
import { strengthFrom } from "../../catalog/model-strength.ts";
import { ownValue } from "../../lib/own-value.ts";
import type { Platform } from "../../platform.ts";
import type { Connection } from "../connections.ts";
import { discoverOllama } from "../ollama/discover-ollama.ts";
import { discoverOpenAiServer } from "../openai/discover-openai-server.ts";
import type { DiscoveredModel } from "./discovered-model.ts";
import { LOCAL_OPENAI_SERVERS } from "./local-servers.ts";

const TIMEOUT_MS = 3_000;

type Discovery = { models: ChatModel[]; connections: Connection[] };

/** Never throws: a server that is not there is simply not found. */
export const discoverLocalServers = async (platform: Platform): Promise<Discovery> => {
  const found = await Promise.all([ollama(platform), ...LOCAL_OPENAI_SERVERS.map((server) => openAiServer(platform, server))]);
  return { models: found.flatMap(({ models }) => models), connections: found.flatMap(({ connections }) => connections) };
};

const NOTHING: Discovery = { models: [], connections: [] };

const ollama = async (platform: Platform): Promise<Discovery> => {
  const entry = platform.catalog.provider("ollama")!;
  const configured = platform.providers
    .connections()
    .find((connection) => connection.entry.id === "ollama" && connection.source !== "discovered");
  const isLocal = configured === undefined;
  const baseUrl = configured?.baseUrl ?? entry.baseUrl!;
  const { transport, localTransport } = platform.providers;
  try {
    const models = await discoverOllama(isLocal ? localTransport : transport, baseUrl, AbortSignal.timeout(TIMEOUT_MS));
    return {
      models: models.filter(isChatModel).map((model) => ({
        ...toChatModel("ollama", model),
        usualOutputTokens: model.capabilities.includes("thinking") ? OLLAMA_THINKING_OUTPUT : OLLAMA_OUTPUT,
      })),
      connections: [{ entry, baseUrl, keys: [], headers: {}, source: "discovered", isLocal }],
    };
  } catch {
    return NOTHING;
  }
};

const openAiServer = async (
  platform: Platform,
  { id, name, baseUrl }: (typeof LOCAL_OPENAI_SERVERS)[number],
): Promise<Discovery> => {
  // Our own server answers /v1/models, too.
  if (Number(new URL(baseUrl).port) === platform.config.port) return NOTHING;
  try {
    const models = await discoverOpenAiServer(platform.providers.localTransport, baseUrl, AbortSignal.timeout(TIMEOUT_MS));
    if (models.length === 0) return NOTHING;
    const entry = {
      id,
      name,
      dialect: "openai" as const,
      keyVariables: [],
      baseUrlVariables: [],
      services: ["chat", "embeddings"] as const,
    };
    return {
      models: models.map((model) => toChatModel(id, model)),
      connections: [
        {
          entry: { ...entry, services: [...entry.services] },
          baseUrl,
          keys: [],
          headers: {},
          source: "discovered",
          isLocal: true,
        },
      ],
    };
  } catch {
    return NOTHING;
  }
};

const isChatModel = ({ capabilities }: DiscoveredModel): boolean =>
  !capabilities.includes("embedding") || capabilities.includes("completion");

const ABILITIES: Record<string, Ability[]> = { tools: ["tools", "parallel_tools"], vision: ["vision"], thinking: ["reasoning"] };
const FREE = { inputNanoUsd: 0, cacheReadNanoUsd: 0, cacheWriteNanoUsd: 0, outputNanoUsd: 0 };
/** Gap: a local model is assumed to be small until the deployment's own log says otherwise. */
const LOCAL_STRENGTH = 0.6;
const ASSUMED_CONTEXT = 8_192;
/** Gap: Ollama reserves memory for the whole answer before the first token, so without the caller's bound it is kept moderate. */
const OLLAMA_OUTPUT = 4_096;
const OLLAMA_THINKING_OUTPUT = 16_384;

const toChatModel = (provider: string, { id, contextWindow, capabilities }: DiscoveredModel): ChatModel => ({
  kind: "chat",
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
});

/** Whether nothing has changed, so that the catalog can stay as it is. */
export const isSameDiscovery = (one: readonly ChatModel[], other: readonly ChatModel[]): boolean =>
  one.length === other.length &&
  one.every(({ id, provider, contextWindow }, index) => {
    const match = other[index]!;
    return id === match.id && provider === match.provider && contextWindow === match.contextWindow;
  });
