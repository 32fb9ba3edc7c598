/** All known models, providers and prices: the built-in tables, discovered models, and the operator's settings on top. */

import type { ModelSettings } from "../config/settings-file.ts";
import { ownValue } from "../lib/own-value.ts";
import { applyOverrides } from "./apply-overrides.ts";
import { CHAT_MODELS } from "./chat-models.ts";
import { EMBEDDING_MODELS } from "./embedding-models.ts";
import { type ChatModel, type EmbeddingModel, type Named, namesOf, type ProviderEntry, type TokenPrices } from "./model.ts";
import { dearest } from "./price.ts";
import { OTHER_PREFIXES, PROVIDERS } from "./providers.ts";

type CatalogOptions = {
  overrides: readonly ModelSettings[];
  /** Ids the operator switched off: neither listed nor found. */
  hidden?: readonly string[];
  /** Models found on a local server. An id in the tables remains the table's. */
  discovered?: readonly ChatModel[];
};

export type Catalog = {
  chatModels(): readonly ChatModel[];
  /** Models that the operator switched off, for display. */
  hiddenChatModels(): readonly ChatModel[];
  embeddingModels(): readonly EmbeddingModel[];
  /** By id, alias, the provider's own id, or any of them behind `provider/`; undefined when unknown or meant by two models. */
  findChatModel(id: string): ChatModel | undefined;
  /** By the provider's own name; the first one, if several entries are one model there. */
  findUpstream(provider: string, upstreamModel: string): ChatModel | undefined;
  findEmbeddingModel(id: string): EmbeddingModel | undefined;
  /** Prices for a prompt of that many tokens. An unknown price is the highest of the catalog, never zero. */
  pricesOf(model: ChatModel, promptTokens?: number): TokenPrices;
  providers(): readonly ProviderEntry[];
  provider(id: string): ProviderEntry | undefined;
  /**
   * Takes effect with the next call (a changed configuration file, a newly found local server). Throws like `applyOverrides`, changing
   * nothing.
   */
  replace(options: CatalogOptions): void;
};

export function createCatalog(options: CatalogOptions): Catalog {
  let tables = buildTables(options);
  return {
    chatModels: () => tables.chat,
    hiddenChatModels: () => tables.hiddenChat,
    embeddingModels: () => tables.embedding,
    findChatModel: (id) => tables.chatByName.get(id) ?? undefined,
    findUpstream: (provider, upstreamModel) => tables.chatByUpstream.get(provider)?.get(upstreamModel),
    findEmbeddingModel: (id) => tables.embeddingByName.get(id) ?? undefined,
    pricesOf: (model, promptTokens = 0) => pricesOf(model, promptTokens, tables.dearest),
    providers: () => PROVIDERS,
    provider: (id) => PROVIDERS.find((entry) => entry.id === id),
    replace: (next) => {
      tables = buildTables(next);
    },
  };
}

/** By provider, then by the provider's name for the model; of several the first counts. Asked several times in each call. */
const indexByUpstream = (models: readonly ChatModel[]): Map<string, Map<string, ChatModel>> => {
  const index = new Map<string, Map<string, ChatModel>>();
  for (const [provider, ofProvider] of Map.groupBy(models.toReversed(), (model) => model.provider))
    index.set(provider, new Map(ofProvider.map((model) => [model.upstreamModel, model])));
  return index;
};

/** A model is routed until its shutdown date begins (UTC), and while its server is there. */
export const isServed = ({ shutdownDate, isAway }: Pick<ChatModel, "shutdownDate" | "isAway">, nowMs: number): boolean =>
  isAway === undefined && (shutdownDate === undefined || nowMs < Date.parse(shutdownDate));

function buildTables(options: CatalogOptions) {
  const builtIn = new Set(CHAT_MODELS.map((model) => model.id));
  const discovered = (options.discovered ?? []).filter((model) => !builtIn.has(model.id));
  const all = applyOverrides({ chat: CHAT_MODELS, embedding: EMBEDDING_MODELS }, discovered, options.overrides);
  const hidden = new Set(options.hidden ?? []);
  const chat = all.chat.filter((model) => !hidden.has(model.id));
  const embedding = all.embedding.filter((model) => !hidden.has(model.id));
  return {
    chat,
    hiddenChat: all.chat.filter((model) => hidden.has(model.id)),
    embedding,
    chatByName: indexByName(chat),
    embeddingByName: indexByName(embedding),
    chatByUpstream: indexByUpstream(chat),
    // Hidden models count too: hiding the dearest must not make an unknown price cheaper.
    dearest: dearest(
      all.chat.flatMap((model) => [model.prices, model.longPrompt?.prices].filter((prices) => prices !== undefined)),
    ),
  };
}

function pricesOf(model: ChatModel, promptTokens: number, unknown: TokenPrices): TokenPrices {
  if (model.longPrompt && promptTokens > model.longPrompt.aboveTokens) return model.longPrompt.prices;
  return model.prices ?? unknown;
}

/**
 * Every name of every model. An id always wins over another model's name, and of one provider's models the first to have a name; null marks
 * a name that models of two providers claim. Behind a prefix come names that no model has as a whole.
 */
function indexByName<Model extends Named>(models: readonly Model[]): Map<string, Model | null> {
  const index = new Map<string, Model | null>();
  for (const model of models) {
    for (const name of namesOf(model)) {
      const other = index.get(name);
      if (other?.provider !== model.provider) index.set(name, other === undefined ? model : null);
    }
  }
  for (const model of models) index.set(`${model.provider}/${model.id}`, model);
  for (const model of models) index.set(model.id, model);
  const addBehind = (prefix: string, model: Model): void => {
    for (const name of namesOf(model)) if (!index.has(`${prefix}/${name}`)) index.set(`${prefix}/${name}`, model);
  };
  for (const model of models) addBehind(model.provider, model);
  for (const model of models) addBehind(ownValue(OTHER_PREFIXES, model.provider) ?? model.provider, model);
  return index;
}
