/** `POST /v1/audio/speech` on the wire (spec.md "Text-to-speech"). */

import { type Static, Type } from "@sinclair/typebox";
import { SPEECH_DEFAULTS } from "../catalog/media-defaults.ts";
import { SPEECH_MODELS } from "../catalog/media-models.ts";
import { USER_FIELDS, userInBody } from "../http/user-in-body.ts";
import { boundedText } from "../lib/bounded-text.ts";
import { nullable } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { type MediaAliases, requireModel } from "../media/require-model.ts";
import type { SpeechOrder } from "./speak.ts";

const VOICES = ["alloy", "echo", "fable", "onyx", "nova", "shimmer"] as const;

export const SPEECH_MEDIA_TYPES = {
  mp3: "audio/mpeg",
  opus: "audio/opus",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
} as const;
type SpeechFormat = keyof typeof SPEECH_MEDIA_TYPES;

export const Speech = Type.Object({
  input: boundedText({ minLength: 1, maxLength: BOUNDS.speechInputCharacters, pattern: "\\S" }),
  model: Type.String({ minLength: 1 }),
  voice: oneOf(VOICES),
  response_format: nullable(oneOf(Object.keys(SPEECH_MEDIA_TYPES) as SpeechFormat[], { default: SPEECH_DEFAULTS.format })),
  speed: nullable(Type.Number({ minimum: 0.25, maximum: 4, default: SPEECH_DEFAULTS.speed })),
  stream_format: nullable(oneOf(["audio", "sse"])),
  ...USER_FIELDS,
});

/** Throws 400 with `param`. */
export const toSpeechOrder = (body: Static<typeof Speech>, aliases?: MediaAliases): Omit<SpeechOrder, "signal"> => ({
  model: requireModel(SPEECH_MODELS, body.model, aliases),
  input: body.input,
  voice: body.voice,
  format: body.response_format ?? SPEECH_DEFAULTS.format,
  speed: body.speed ?? SPEECH_DEFAULTS.speed,
  ...userInBody(body),
});
