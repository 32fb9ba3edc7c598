/** A model in the format of Anthropic's API: its SDKs page through the list, and the typed ones require their fields. */

import type { ListedModel } from "./list-models.ts";

const isoOf = (date: string | number): string => new Date(date).toISOString();

/** All are callable, so none is marked as retired. */
export const toAnthropicModel = (model: ListedModel) => ({
  type: "model",
  id: model.id,
  display_name: model.display_name,
  created_at: isoOf(model.created * 1000),
  max_input_tokens: "context_window" in model ? model.context_window : null,
  max_tokens: "max_output_tokens" in model ? model.max_output_tokens : null,
  capabilities: null,
  line: null,
  lifecycle: "active",
  deprecated_at: null,
  retires_at: "shutdown_date" in model && typeof model.shutdown_date === "string" ? isoOf(model.shutdown_date) : null,
});

/** One page with all chat models. */
export const toAnthropicList = (models: readonly ListedModel[]) => {
  const data = models.filter(({ type }) => type === "chat").map(toAnthropicModel);
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
};
