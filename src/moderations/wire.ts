/** `POST /v1/moderations` in OpenAI's format. */

import { type Static, Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { MODERATION_MODELS } from "../catalog/media-models.ts";
import { readImage } from "../chat/request/check-media.ts";
import { checkUrl } from "../http/outbound-guard.ts";
import { USER_FIELDS, userInBody } from "../http/user-in-body.ts";
import { toUsd } from "../lib/money.ts";
import { nullable } from "../lib/nullable.ts";
import { type MediaAliases, requireListedModel } from "../media/require-model.ts";
import type { Served } from "../media/serve-prompt-call.ts";
import type { ModerationPart, ModerationRequest } from "../providers/media-calls.ts";
import type { ModerationAnswer, ModerationOrder } from "./moderate.ts";

const Text = Type.String({ minLength: 1 });
const MOST_INPUTS = 2_048;
const TextPart = Type.Object({ type: Type.Literal("text"), text: Text });
const ImagePart = Type.Object({ type: Type.Literal("image_url"), image_url: Type.Object({ url: Text }) });

export const Moderation = Type.Object({
  model: nullable(Type.String({ description: "omni-moderation-latest by default" })),
  input: Type.Union([
    Text,
    Type.Array(Type.Union([Text, TextPart, ImagePart]), {
      minItems: 1,
      maxItems: MOST_INPUTS,
      description: "Texts, which get a result each, or parts of one message, which get one",
    }),
  ]),
  ...USER_FIELDS,
});
type ModerationBody = Static<typeof Moderation>;
type Part = Static<typeof TextPart | typeof ImagePart>;

export const Verdicts = Type.Object({
  id: Type.String(),
  model: Type.String(),
  results: Type.Array(
    Type.Object({
      flagged: Type.Boolean(),
      categories: Type.Record(Type.String(), Type.Boolean()),
      category_scores: Type.Record(Type.String(), Type.Number()),
      category_applied_input_types: Type.Record(Type.String(), Type.Array(Type.String())),
    }),
  ),
  svc: Type.Object({
    request_id: Type.String(),
    model_selected: Type.String(),
    cost_usd: Type.Number(),
    latency_ms: Type.Integer(),
  }),
});

const OPENAI = "omni-moderation-latest";
/** What OpenAI's SDKs know besides; the last two have ended there. */
const OTHER_NAMES: MediaAliases = {
  auto: OPENAI,
  "omni-moderation-2024-09-26": OPENAI,
  "text-moderation-latest": OPENAI,
  "text-moderation-stable": OPENAI,
};

type Settings = { aliases: MediaAliases | undefined; allowedHosts: readonly string[] };

/** Throws 404 for an unknown model, 400 with `param` for what is no picture, or stands at an address that may not be asked. */
export const toModerationOrder = (
  body: ModerationBody,
  { aliases, allowedHosts }: Settings,
): Omit<ModerationOrder, "signal"> => ({
  model: requireListedModel("The moderation model", MODERATION_MODELS, body.model ?? OPENAI, { ...OTHER_NAMES, ...aliases }),
  request: toModerationRequest(body, allowedHosts),
  ...userInBody(body),
});

const toModerationRequest = ({ input }: ModerationBody, allowedHosts: readonly string[]): ModerationRequest => {
  if (typeof input === "string") return { texts: [input] };
  const areTexts = typeof input[0] === "string";
  const other = input.findIndex((item) => (typeof item === "string") !== areTexts);
  if (other > 0) throw invalidRequest("`input` has either texts or parts of one message, not both.", `input.${other}`);
  if (areTexts) return { texts: input as string[] };
  const toPart = (part: Part, at: number): ModerationPart => {
    if (part.type === "text") return { type: "text", text: part.text };
    const param = `input.${at}.image_url.url`;
    const { url } = readImage(part.image_url.url, param);
    return { type: "image", url: url.startsWith("data:") ? url : checkUrl(allowedHosts, url, param).href };
  };
  return { parts: (input as Part[]).map(toPart) };
};

export const toWireVerdicts = (
  { verdicts, model, costNanoUsd, latencyMs }: Served<ModerationAnswer>,
  requestId: string,
): Static<typeof Verdicts> => ({
  id: requestId,
  model,
  results: verdicts.map(({ flagged, categories, scores, types }) => ({
    flagged,
    categories,
    category_scores: scores,
    category_applied_input_types: Object.fromEntries(Object.entries(types).map(([name, kinds]) => [name, [...kinds]])),
  })),
  svc: { request_id: requestId, model_selected: model, cost_usd: toUsd(costNanoUsd), latency_ms: latencyMs },
});
