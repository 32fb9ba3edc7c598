/** The moderation model that a request names. */

import { MODERATION_MODELS, type ModerationModel } from "../catalog/media-models.ts";
import { ownValue } from "../lib/own-value.ts";
import { isNamed, mediaModelNotFound } from "../media/require-model.ts";

const OPENAI = "omni-moderation-latest";
/** What OpenAI's SDKs know besides; the last two have ended there. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  auto: OPENAI,
  "omni-moderation-2024-09-26": OPENAI,
  "text-moderation-latest": OPENAI,
  "text-moderation-stable": OPENAI,
};

/** Throws 404. */
export const requireModerator = (name: string = OPENAI, aliases: Readonly<Record<string, string>> = {}): ModerationModel => {
  const id = ownValue(aliases, name) ?? ownValue(OTHER_NAMES, name) ?? name;
  const model = MODERATION_MODELS.find((known) => isNamed(id, known));
  if (model === undefined) throw mediaModelNotFound("The moderation model", name, MODERATION_MODELS);
  return model;
};
