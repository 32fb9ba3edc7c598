/** The wire format in which a model is asked for a request, and the lowest output bound that this format takes. */

import { type ChatModel, type Dialect, spokenDialect } from "../../catalog/model.ts";
import type { Platform } from "../../platform.ts";
import { isVendors } from "../../providers/connections.ts";
import { LEAST_RESPONSES_BOUND } from "../../providers/openai-responses/build-request.ts";
import type { ChatRequest } from "../../providers/provider.ts";
import type { ChoiceInput } from "../../router/score-candidates.ts";

/** A server that stands in for the vendor may not know the vendor's format for calls with tools. */
export const spokenWith = (
  { catalog, providers }: Platform,
  { provider, quirks }: ChatModel,
  request: ChatRequest,
): Dialect | null => {
  const connection = providers.connections().find(({ entry }) => entry.id === provider);
  const dialect = connection?.entry.dialect ?? catalog.provider(provider)?.dialect ?? null;
  return spokenDialect(dialect, quirks, connection === undefined || isVendors(connection) ? request : {});
};

/** A caller who wants fewer tokens than the format takes as a bound may be billed for as many, so a ceiling has to cover them. */
export const leastBoundsOf = (platform: Platform, request: ChatRequest): Pick<ChoiceInput, "leastBoundOf"> =>
  (request.maxOutputTokens ?? LEAST_RESPONSES_BOUND) < LEAST_RESPONSES_BOUND
    ? { leastBoundOf: (model) => (spokenWith(platform, model, request) === "openai-responses" ? LEAST_RESPONSES_BOUND : 1) }
    : {};
