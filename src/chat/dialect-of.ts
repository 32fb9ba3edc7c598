/** The wire format of a provider, and that in which one of its models is asked. */

import { type ChatModel, type Dialect, spokenDialect } from "../catalog/model.ts";
import type { Platform } from "../platform.ts";
import { isVendors } from "../providers/connections.ts";
import type { ChatRequest } from "../providers/provider.ts";

const connectionOf = ({ providers }: Platform, providerId: string) =>
  providers.connections().find(({ entry }) => entry.id === providerId);

/** As the operator configured it, else the catalog's. */
export const dialectOf = (platform: Platform, providerId: string): Dialect | null =>
  connectionOf(platform, providerId)?.entry.dialect ?? platform.catalog.provider(providerId)?.dialect ?? null;

/** A server that stands in for the vendor may not know the format that the vendor has for calls with tools. */
export const spokenWith = (platform: Platform, { provider, quirks }: ChatModel, request: ChatRequest): Dialect | null => {
  const connection = connectionOf(platform, provider);
  const asked = connection === undefined || isVendors(connection) ? request : {};
  return spokenDialect(dialectOf(platform, provider), quirks, asked);
};
