/** Which wire format a provider is spoken to in: as the operator connected it, else as the catalog has it. */

import type { Dialect } from "../catalog/model.ts";
import type { Platform } from "../platform.ts";

export const dialectOf = ({ catalog, providers }: Platform, providerId: string): Dialect | null =>
  providers.connections().find(({ entry }) => entry.id === providerId)?.entry.dialect ??
  catalog.provider(providerId)?.dialect ??
  null;
