/** The reranker that a request names. */

import { LOCAL_RERANK_ID, RERANK_MODELS, type RerankModel } from "../catalog/media-models.ts";
import { ownValue } from "../lib/own-value.ts";
import { isNamed, mediaModelNotFound } from "../media/require-model.ts";

/** `auto` is the local one. Throws 404. */
export const requireReranker = (name: string, aliases: Readonly<Record<string, string>> = {}): RerankModel => {
  const id = name === "auto" ? LOCAL_RERANK_ID : (ownValue(aliases, name) ?? name);
  const model = RERANK_MODELS.find((known) => isNamed(id, known));
  if (model === undefined) throw mediaModelNotFound("The reranker", name, RERANK_MODELS);
  return model;
};
