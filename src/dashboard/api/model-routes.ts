/** The catalog's models in the dashboard: the operator switches them on and off, and adds, changes and removes chat models. */

import { type Static, Type } from "@sinclair/typebox";
import { conflict, invalidRequest, notFound } from "../../api-error.ts";
import { MEDIA_MODELS } from "../../catalog/media-models.ts";
import { readJson } from "../../http/read-json.ts";
import type { Platform } from "../../platform.ts";
import { putModel, readAddedModels, removeModel, switchModel } from "../../providers/stored-settings.ts";
import { applySettings } from "../../watch-settings.ts";
import { byOperator } from "../sessions/require-operator.ts";
import type { ModelsAnswer } from "../wire.ts";
import { listMediaModels } from "./list-media-models.ts";
import { listModels } from "./list-models.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

const SwitchBody = Type.Object({ id: Type.String({ maxLength: 200 }), enabled: Type.Boolean() });

const name = Type.String({ minLength: 1, maxLength: 200, pattern: "^[!-~]+$" });
const usd = Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 }));
/** Unknown fields are refused, because the whole body is stored. */
const ModelBody = Type.Object(
  {
    provider: name,
    upstream_model: Type.Optional(name),
    id: name,
    context_window: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
    input_usd_per_million: usd,
    output_usd_per_million: usd,
  },
  { additionalProperties: false },
);
const RemoveBody = Type.Object({ id: Type.String({ maxLength: 200 }) });

export const modelRoutes = (platform: Platform) => {
  const { db } = platform;
  const answer = async (): Promise<ModelsAnswer> => {
    await applySettings(platform);
    return { models: listModels(platform) };
  };
  return (
    signedInRoutes(platform)
      .get("/models", () => ({ models: listModels(platform) }))
      .get("/media-models", () => ({ models: listMediaModels(platform) }))
      .put("/models", async ({ request }) => {
        const { id, enabled } = await readJson(request, SwitchBody);
        const known = listModels(platform).find((model) => model.id === id);
        if (known === undefined) throw notFound("The model");
        if (known.fixed) throw invalidRequest("signalbox.yaml decides whether this model is offered; change it there.", "id");
        await switchModel(db, byOperator(platform, request), id, enabled);
        return answer();
      })
      .post("/models", async ({ request, set }) => {
        const model = await readJson(request, ModelBody);
        requireNew(platform, model.id);
        requireSound(platform, model);
        await putModel(db, byOperator(platform, request), model);
        set.status = 201;
        return answer();
      })
      // Replaces the whole entry, because the form sends all of it.
      .patch("/models", async ({ request }) => {
        const model = await readJson(request, ModelBody);
        if (!readAddedModels(db).some(({ id }) => id === model.id)) throw notFound("The model");
        requireSound(platform, model);
        await putModel(db, byOperator(platform, request), model);
        return answer();
      })
      .delete("/models", async ({ request }) => {
        const { id } = await readJson(request, RemoveBody);
        if (!(await removeModel(db, byOperator(platform, request), id))) throw notFound("The model");
        return answer();
      })
  );
};

const requireNew = ({ catalog }: Platform, id: string): void => {
  if (id === "auto") throw invalidRequest("`auto` lets the router choose, so no model can have this id.", "id");
  const named =
    catalog.findChatModel(id) ??
    catalog.findEmbeddingModel(id) ??
    [...catalog.hiddenChatModels(), ...MEDIA_MODELS].find((known) => known.id === id);
  if (named?.id === id) throw conflict(`There is a model "${id}" already.`, "id");
  if (named !== undefined) throw conflict(`"${id}" is another name of the model "${named.id}". Choose another id.`, "id");
};

const requireSound = ({ providers }: Platform, { provider, ...model }: Static<typeof ModelBody>): void => {
  if (providers.find("live", provider)?.chat === undefined)
    throw invalidRequest(`No provider "${provider}" that serves chat is set up.`, "provider");
  if ((model.input_usd_per_million === undefined) !== (model.output_usd_per_million === undefined))
    throw invalidRequest("A price needs both input and output.", "output_usd_per_million");
};
