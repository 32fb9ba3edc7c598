/** The moderation model that a request names. */

import { modelNotFound } from "../api-error.ts";
import { MODERATION_MODELS, type ModerationModel } from "../catalog/media-models.ts";
import { ownValue } from "../lib/own-value.ts";

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
  const model = MODERATION_MODELS.find((known) => known.id === id);
  if (model === undefined) throw modelNotFound(name, "The moderation model");
  return model;
};
