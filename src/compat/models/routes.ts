/** `GET /v1/models`: which models can be called, in the form of the API that the client speaks. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { notFound } from "../../api-error.ts";
import { describe } from "../../http/describe.ts";
import { guarded } from "../../http/guarded.ts";
import type { Platform } from "../../platform.ts";
import { listModels } from "./list-models.ts";
import { toAnthropicList, toAnthropicModel } from "./to-anthropic.ts";

const Anything = Type.Object({}, { additionalProperties: true });

export const modelRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .get(
      "/v1/models",
      ({ request, caller }) => {
        const models = listModels(platform, caller.mode);
        return isAnthropic(request) ? toAnthropicList(models) : { object: "list", data: models };
      },
      {
        guard: { scope: "chat" },
        detail: describe({ summary: "Models that can be called", tags: ["openai", "anthropic"], response: Anything }),
      },
    )
    .get(
      "/v1/models/*",
      ({ request, caller, params }) => {
        // Ids hold slashes (`openai/gpt-4o`), so the rest of the path is the id.
        const id = decodeURIComponent((params as Record<string, string>)["*"] ?? "");
        const models = listModels(platform, caller.mode);
        const found = models.find((model) => model.id === id) ?? aliasOf(platform, models, id);
        if (found === undefined) throw notFound(`The model "${id.slice(0, 100)}"`, "model", "model_not_found");
        return isAnthropic(request) ? toAnthropicModel(found) : found;
      },
      {
        guard: { scope: "chat" },
        detail: describe({ summary: "One model", tags: ["openai", "anthropic"], response: Anything }),
      },
    );

/** Both APIs have this path; the header is what Anthropic's clients all send, and OpenAI's never. */
const isAnthropic = (request: Request): boolean => request.headers.has("anthropic-version");

const aliasOf = ({ catalog }: Platform, models: ReturnType<typeof listModels>, id: string) => {
  const model = catalog.findChatModel(id);
  return model && models.find((each) => each.id === model.id);
};
