/** `GET /v1/models`: the callable models, in the format of the client's API. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { modelNotFound } from "../../api-error.ts";
import { describe } from "../../http/describe.ts";
import { isAnthropic } from "../../http/error-envelope.ts";
import { guarded } from "../../http/guarded.ts";
import { orNull } from "../../lib/nullable.ts";
import { oneOf } from "../../lib/one-of.ts";
import type { Platform } from "../../platform.ts";
import { listModels } from "./list-models.ts";
import { toAnthropicList, toAnthropicModel } from "./to-anthropic.ts";

const OpenAiModel = Type.Object({
  id: Type.String(),
  object: Type.Literal("model"),
  created: Type.Integer(),
  owned_by: Type.String(),
  display_name: Type.String(),
  type: oneOf(["chat", "embedding", "image", "video", "speech", "transcription", "rerank", "moderation"]),
  context_window: Type.Optional(Type.Integer()),
  context_length: Type.Optional(Type.Integer({ description: "The same as `context_window`, as OpenRouter names it" })),
  max_output_tokens: Type.Optional(Type.Integer()),
  abilities: Type.Optional(Type.Array(Type.String())),
  dimensions: Type.Optional(Type.Integer()),
  pricing: Type.Optional(
    orNull(Type.Object({}, { additionalProperties: true, description: "USD per million tokens, or `usd` per `unit`" })),
  ),
  shutdown_date: Type.Optional(orNull(Type.String())),
});
const AnthropicModel = Type.Object(
  { type: Type.Literal("model"), id: Type.String(), display_name: Type.String(), created_at: Type.String() },
  { additionalProperties: true, description: "With the header `anthropic-version`: in the format of Anthropic's API" },
);
const OpenAiList = Type.Object({ object: Type.Literal("list"), data: Type.Array(OpenAiModel) });
const AnthropicList = Type.Object({
  data: Type.Array(AnthropicModel),
  has_more: Type.Boolean(),
  first_id: orNull(Type.String()),
  last_id: orNull(Type.String()),
});

export const modelRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .get(
      "/v1/models",
      ({ request, caller }) => {
        const models = listModels(platform, caller);
        return isAnthropic(request) ? toAnthropicList(models) : { object: "list", data: models };
      },
      {
        guard: { scope: "chat" },
        detail: describe({
          summary: "Models that the key may call",
          tags: ["openai", "anthropic"],
          response: Type.Union([OpenAiList, AnthropicList]),
        }),
      },
    )
    .get(
      "/v1/models/*",
      ({ request, caller, params }) => {
        // Ids hold slashes (`openai/gpt-4o`), so the rest of the path is the id.
        const id = decodeURIComponent((params as Record<string, string>)["*"] ?? "");
        const models = listModels(platform, caller);
        const found = models.find((model) => model.id === id) ?? aliasOf(platform, models, id);
        if (found === undefined) throw modelNotFound(id);
        return isAnthropic(request) ? toAnthropicModel(found) : found;
      },
      {
        guard: { scope: "chat" },
        detail: describe({
          summary: "One model",
          tags: ["openai", "anthropic"],
          response: Type.Union([OpenAiModel, AnthropicModel]),
        }),
      },
    );

const aliasOf = ({ catalog }: Platform, models: ReturnType<typeof listModels>, id: string) => {
  const model = catalog.findChatModel(id);
  return model && models.find((each) => each.id === model.id);
};
