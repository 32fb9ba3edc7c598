/** The reranker that a request names. */

import { LOCAL_RERANK_ID, RERANK_MODELS, type RerankModel } from "../catalog/media-models.ts";
import { ownValue } from "../lib/own-value.ts";
import { mediaModelNotFound } from "../media/require-model.ts";

/** `auto` is the local one. LiteLLM writes the vendor before the name (`cohere/rerank-v3.5`). Throws 404. */
export const requireReranker = (name: string, aliases: Readonly<Record<string, string>> = {}): RerankModel => {
  const id = name === "auto" ? LOCAL_RERANK_ID : (ownValue(aliases, name) ?? name);
  const isMeant = (model: RerankModel): boolean =>
    model.id === id || model.targets.some(({ provider }) => `${provider}/${model.id}` === id);
  const model = RERANK_MODELS.find(isMeant);
  if (model === undefined) throw mediaModelNotFound("The reranker", name, RERANK_MODELS);
  return model;
};
