/** The operator's model settings: an entry changes a known model or adds one. */

import type { ModelSettings } from "../config/settings-file.ts";
import { given } from "../lib/given.ts";
import { embeddingModel, newEmbeddingModel } from "./embedding-overrides.ts";
import { type Ability, type ChatModel, type EmbeddingModel, isOpenAiDialect, namesOf } from "./model.ts";
import { identityOf, newIdentity, pricesOf, quirksOf, shutdownOf } from "./model-override.ts";
import { strengthFrom } from "./model-strength.ts";
import { PROVIDERS } from "./providers.ts";

type Models = { chat: readonly ChatModel[]; embedding: readonly EmbeddingModel[] };

/** Gap: assumptions about a model that an operator adds with nothing but its name. Average, so that it is neither favoured nor avoided. */
const UNKNOWN_CHAT = {
  contextWindow: 32_768,
  maxOutputTokens: 4_096,
  abilities: ["tools", "json_mode"] as readonly Ability[],
  strength: strengthFrom(0.6),
  tokensPerSecond: 50,
  firstTokenMs: 1_000,
};

/**
 * `discovered` models come and go with their servers, so entries that work without them are not refused because of them, or vice versa.
 * Throws an Error with one line for the operator if an entry cannot be used.
 */
export function applyOverrides(models: Models, discovered: readonly ChatModel[], overrides: readonly ModelSettings[]): Models {
  const builtIn = new Set([...models.chat, ...models.embedding].map(({ id }) => id));
  const chat = new Map([...models.chat, ...discovered].map((model) => [model.id, model]));
  const embedding = new Map(models.embedding.map((model) => [model.id, model]));
  // What changes a known model comes first, since another id for that model then has its figures.
  const isNew = ({ id }: ModelSettings): boolean => !chat.has(id) && !embedding.has(id);
  for (const override of [...overrides.filter((each) => !isNew(each)), ...overrides.filter(isNew)]) {
    if (override.id === "auto") throw new Error('models: "auto" lets the router choose, so no model can have this id');
    if (override.base_model !== undefined && builtIn.has(override.id))
      throw new Error(`models: "${override.id}" is in the catalog itself, so it has no base_model`);
    const known = embedding.get(override.id) ?? (builtIn.has(override.id) ? undefined : newEmbeddingModel(override));
    if (known !== undefined) {
      embedding.set(override.id, embeddingModel(known, override));
      // A local server that does not say what its models are for lists all of them for chat.
      chat.delete(override.id);
    } else {
      if (override.dimensions !== undefined) throw new Error(`models: "${override.id}" is a chat model, so it has no dimensions`);
      const found = override.base_model === undefined ? chat.get(override.id) : undefined;
      const model = chatModel(found ?? newModel(override, models.chat, [...chat.values()]), override);
      chat.set(override.id, checkedDialect(model, override));
    }
  }
  return { chat: [...chat.values()], embedding: [...embedding.values()] };
}

/** `served`: with the operator's changes, and what local servers have. */
function newModel(override: ModelSettings, builtIn: readonly ChatModel[], served: readonly ChatModel[]): ChatModel {
  const { id, base_model: baseModel } = override;
  const own = newIdentity(override);
  if (baseModel === undefined) {
    // Another id for a model of the same provider has its figures.
    const same = served.find((model) => model.provider === own.provider && namesOf(model).includes(own.upstreamModel));
    const { aliases: _, ...figures } = same ?? { ...UNKNOWN_CHAT, aliases: [] };
    return { ...figures, ...own };
  }
  const known = builtIn.find((model) => model.id === baseModel);
  if (known === undefined)
    throw new Error(`models: base_model of "${id}" is "${baseModel}", which is not a chat model of the catalog`);
  // Aliases and shutdown dates belong to whoever serves it.
  const { aliases: _, shutdownDate: __, ...figures } = known;
  return { ...figures, ...own };
}

/** What the operator describes is taken to be there, so that a server that is slow to list its models is asked all the same. */
function chatModel(known: ChatModel, override: ModelSettings): ChatModel {
  const { shutdownDate: knownShutdown, longPrompt, isAway: _, ...base } = known;
  const shutdownDate = shutdownOf(override, base, knownShutdown);
  const prices = pricesOf(override);
  const { context_window: contextWindow, max_output_tokens: maxOutputTokens, abilities } = override;
  return {
    ...base,
    ...identityOf(override),
    ...given({ contextWindow, maxOutputTokens, abilities, prices, shutdownDate }),
    strength: { ...base.strength, ...override.strength },
    quirks: { ...base.quirks, ...quirksOf(override) },
    // An operator's price is complete: the vendor's surcharge for long prompts no longer applies.
    ...(longPrompt && !prices && { longPrompt }),
  };
}

/** Refuses a dialect that would have no effect, because the provider speaks another. */
function checkedDialect(model: ChatModel, { dialect }: ModelSettings): ChatModel {
  const provider = PROVIDERS.find(({ id }) => id === model.provider);
  if (dialect === undefined || provider === undefined || isOpenAiDialect(provider.dialect)) return model;
  throw new Error(`models: "${model.id}" can have no dialect of its own: ${provider.name} speaks "${provider.dialect}"`);
}
