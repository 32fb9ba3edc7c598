/** `POST /v1/audio/translations` on the wire. Gap: spec.md has no such route; it is OpenAI's, with the rules of transcriptions. */

import { Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { TRANSCRIPTION_MODELS } from "../catalog/media-models.ts";
import { translatorsOf } from "../catalog/media-targets.ts";
import type { SettingsFile } from "../config/settings-file.ts";
import type { Multipart } from "../http/read-multipart.ts";
import { readTexts } from "../http/read-query.ts";
import { requireModel } from "../media/require-model.ts";
import { type ReadForm, recordingOf, requireAudioFile, TranscriptionForm } from "./transcription-wire.ts";

const { file, model, response_format, user } = TranscriptionForm.properties;

const Fields = Type.Object({
  model,
  response_format,
  prompt: Type.Optional(Type.String({ description: "English words that guide the spelling." })),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "For upstreams that have it." })),
  user,
});

export const TranslationForm = Type.Object({ file, ...Fields.properties });

/** Throws 400 with `param`: `model` if no upstream of the model translates. */
export const toTranslationOrder = (
  { fields, files }: Multipart,
  settings: Pick<SettingsFile, "media_models" | "media_aliases">,
): ReadForm => {
  const recording = requireAudioFile(files["file"]);
  const { response_format: format = "json", ...asked } = readTexts(Fields, (name) => fields[name]);
  const model = requireModel(TRANSCRIPTION_MODELS, asked.model, settings.media_aliases);
  const targets = translatorsOf(settings, model);
  if (targets.length === 0)
    throw invalidRequest(`No upstream of ${model.id} translates: none of them has a \`translator\` in the settings.`, "model");
  return {
    task: "translate",
    model,
    targets,
    ...recordingOf(recording),
    format,
    streamed: false,
    prompt: asked.prompt,
    temperature: asked.temperature,
    userId: asked.user,
  };
};
