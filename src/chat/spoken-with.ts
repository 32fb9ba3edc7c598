/** The wire format in which a model is asked. */

import { type ChatModel, type Dialect, spokenDialect } from "../catalog/model.ts";
import type { Platform } from "../platform.ts";
import { isVendors } from "../providers/connections.ts";
import type { ChatRequest } from "../providers/provider.ts";

/** A server that stands in for the vendor may not know the format that the vendor has for calls with tools. */
export const spokenWith = (
  { catalog, providers }: Platform,
  { provider, quirks }: ChatModel,
  request: ChatRequest,
): Dialect | null => {
  const connection = providers.connections().find(({ entry }) => entry.id === provider);
  const dialect = connection?.entry.dialect ?? catalog.provider(provider)?.dialect ?? null;
  return spokenDialect(dialect, quirks, connection === undefined || isVendors(connection) ? request : {});
};
