/** Provider settings in the dashboard (decisions §1: keys typed in here are encrypted at rest). */

import { type Static, Type } from "@sinclair/typebox";
import { invalidRequest, notFound } from "../../api-error.ts";
import { SEARCH_TARGETS } from "../../catalog/media-models.ts";
import { SettingError } from "../../config/config.ts";
import { readVariable } from "../../config/read-variable.ts";
import type { ProviderSettings } from "../../config/settings-file.ts";
import { SPOKEN_DIALECTS } from "../../config/vocabulary.ts";
import { readJson } from "../../http/read-json.ts";
import { oneOf } from "../../lib/one-of.ts";
import type { Platform } from "../../platform.ts";
import { connectionsFrom, whyNameIsTaken } from "../../providers/connections.ts";
import { readStoredProviders, storeProvider, storeSearchOrder } from "../../providers/stored-settings.ts";
import { applySettings } from "../../watch-settings.ts";
import { byOperator } from "../sessions/require-operator.ts";
import { listProviders } from "./list-providers.ts";
import { signedInRoutes } from "./signed-in-routes.ts";
import { testProvider } from "./test-provider.ts";

/** Unknown fields are refused, because the whole body is stored, and a key in another field would be stored unencrypted. */
const ProviderBody = Type.Object(
  {
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000 })),
    base_url: Type.Optional(Type.String({ maxLength: 2_000 })),
    dialect: Type.Optional(oneOf(SPOKEN_DIALECTS)),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const OrderBody = Type.Object({ order: Type.Array(Type.String(), { maxItems: 20 }) });

export const providerRoutes = (platform: Platform) =>
  signedInRoutes(platform)
    .get("/providers", () => listProviders(platform))
    .put("/providers/:id", async ({ request, params }) => {
      const change = withCleanKey(await readJson(request, ProviderBody));
      if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(params.id))
        throw invalidRequest("A provider's id is made of lower-case letters, digits, - and _.", "id");
      const taken = whyNameIsTaken(platform.catalog.provider(params.id));
      if (taken !== undefined) throw invalidRequest(taken, "id");
      const { key, ...kept } = (await readStoredProviders(platform.db, platform.config))[params.id] ?? {};
      if (change.base_url !== undefined && !/^https?:\/\/\S+$/.test(change.base_url))
        throw invalidRequest("An address must begin with http:// or https:// and contain no blanks.", "base_url");
      if (change.base_url !== undefined && change.base_url !== addressOf(platform, params.id, kept))
        requireKeyForNewAddress(platform, params.id, { typed: change.key, stored: key });
      await changeProvider(platform, request, params.id, { ...kept, ...change });
      return listProviders(platform);
    })
    .delete("/providers/:id", async ({ request, params }) => {
      await changeProvider(platform, request, params.id, undefined);
      return listProviders(platform);
    })
    .put("/search-order", async ({ request }) => {
      const { order } = await readJson(request, OrderBody);
      const known = SEARCH_TARGETS.map(({ provider }) => provider);
      if (order.length !== known.length || !known.every((id) => order.includes(id)))
        throw invalidRequest(`\`order\` must name each of ${known.join(", ")} once.`, "order");
      await storeSearchOrder(platform.db, byOperator(platform, request), order);
      return listProviders(platform);
    })
    .post("/providers/:id/test", async ({ request, params }) => {
      const outcome = await testProvider(platform, params.id, request.signal);
      if (outcome === undefined) throw notFound("The provider");
      return outcome;
    });

/**
 * Removes blanks around a pasted key. Refuses blanks inside it, which no header can carry, without repeating the key, and references to the
 * environment: a session could have any variable of the server sent to an address of its own.
 */
const withCleanKey = ({ key, ...change }: Static<typeof ProviderBody>): Static<typeof ProviderBody> => {
  if (key === undefined) return change;
  if (!/^[!-~]+$/.test(key.trim())) throw invalidRequest("A key must not contain spaces or non-ASCII characters.", "key");
  if (key.trim().startsWith("env:"))
    throw invalidRequest("Type the key itself; a reference such as env:NAME belongs in signalbox.yaml.", "key");
  return { ...change, key: key.trim() };
};

const addressOf = ({ providers, catalog }: Platform, id: string, stored: ProviderSettings): string | undefined =>
  providers.connections().find(({ entry }) => entry.id === id)?.baseUrl ?? stored.base_url ?? catalog.provider(id)?.baseUrl;

/** A holder of a session cannot read the stored key, so must not send it to a new address either: it has to be typed again. */
const requireKeyForNewAddress = (
  { catalog, config }: Platform,
  id: string,
  { typed, stored }: { typed: string | undefined; stored: string | undefined },
): void => {
  const variable = catalog.provider(id)?.keyVariables.find((name) => readVariable(config.environment, name));
  if (variable !== undefined)
    throw invalidRequest(`Its key comes from ${variable}; set its address in the environment, too.`, "base_url");
  if (Object.hasOwn(config.file.providers ?? {}, id))
    throw invalidRequest("It is set up in signalbox.yaml; change its address there.", "base_url");
  if (stored !== undefined && typed === undefined)
    throw invalidRequest("Type the key again: it would be sent to another address.", "key");
};

/** `settings`: undefined to remove it. Throws 400, and stores nothing, if the settings cannot be used. */
const changeProvider = async (
  platform: Platform,
  request: Request,
  id: string,
  settings: ProviderSettings | undefined,
): Promise<void> => {
  const { db, config } = platform;
  const stored = await readStoredProviders(db, config);
  if (settings === undefined) delete stored[id];
  else stored[id] = { ...stored[id], ...settings };
  requireUsable(platform, stored);
  await storeProvider(db, byOperator(platform, request), config, id, settings);
  await applySettings(platform);
};

const requireUsable = ({ catalog, config }: Platform, stored: Record<string, ProviderSettings>): void => {
  try {
    connectionsFrom({ known: catalog.providers(), environment: config.environment, file: config.file, stored });
  } catch (error) {
    if (error instanceof SettingError) throw invalidRequest(error.message, "base_url");
    throw error;
  }
};
