/** The wire format of a provider: as the operator configured it, else the catalog's. */

import type { Dialect } from "../catalog/model.ts";
import type { Platform } from "../platform.ts";

export const dialectOf = ({ catalog, providers }: Platform, providerId: string): Dialect | null =>
  providers.connections().find(({ entry }) => entry.id === providerId)?.entry.dialect ??
  catalog.provider(providerId)?.dialect ??
  null;
