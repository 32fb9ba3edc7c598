/** `POST /v1/audio/transcriptions` on the wire (spec.md "Transcription"). */

import { type Static, Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { TRANSCRIPTION_MODELS } from "../catalog/media-models.ts";
import type { Multipart } from "../http/read-multipart.ts";
import { audioFormat, readDuration } from "../lib/duration/read-duration.ts";
import { toUsd } from "../lib/money.ts";
import { nullable } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { ownValue } from "../lib/own-value.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { requireModel } from "../media/require-model.ts";
import type { Served } from "../media/serve-media-call.ts";
import { isLanguageCode } from "./language-codes.ts";
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from "./render-transcript.ts";
import type { TranscriptionAnswer, TranscriptionOrder } from "./transcribe.ts";

const AUDIO_MEGABYTES = BOUNDS.audioBytes / 1_048_576;
const GRANULARITIES = ["word", "segment"] as const;

/** For the OpenAPI document; the fields themselves are read by `toTranscriptionOrder`. */
export const TranscriptionForm = Type.Object({
  file: Type.String({ format: "binary", description: `At most ${AUDIO_MEGABYTES} MB.` }),
  model: Type.String(),
  language: Type.Optional(Type.String({ description: "ISO-639-1; detected if absent." })),
  response_format: Type.Optional(oneOf(TRANSCRIPT_FORMATS, { default: "json" })),
  stream: Type.Optional(
    Type.Boolean({ description: "Sends the text as events when it is complete; only with `json` and `text`." }),
  ),
  prompt: Type.Optional(Type.String({ description: "Words that guide the spelling." })),
  "timestamp_granularities[]": Type.Optional(
    Type.Array(oneOf(GRANULARITIES), { description: "`word` adds `words` to `verbose_json`, if the upstream reports them." }),
  ),
});

export const TranscriptionResult = Type.Object({
  text: Type.String(),
  language: nullable(Type.String()),
  duration: Type.Optional(Type.Number()),
  segments: Type.Optional(
    Type.Array(Type.Object({ id: Type.Integer(), start: Type.Number(), end: Type.Number(), text: Type.String() })),
  ),
  words: Type.Optional(Type.Array(Type.Object({ word: Type.String(), start: Type.Number(), end: Type.Number() }))),
  svc: Type.Object({
    request_id: Type.String(),
    model_used: Type.String(),
    audio_duration_seconds: Type.Number(),
    cost_usd: Type.Number(),
    latency_ms: Type.Integer(),
    content_evaluation: Type.Optional(Type.Any()),
  }),
});

// biome-ignore format: a table
const MEDIA_TYPES: Record<string, string> = {
  mp3: "audio/mpeg", mpga: "audio/mpeg", mpeg: "audio/mpeg", mp4: "audio/mp4", m4a: "audio/mp4",
  wav: "audio/wav", webm: "audio/webm", ogg: "audio/ogg", flac: "audio/flac",
};

type Form = Omit<TranscriptionOrder, "signal" | "route"> & {
  /** The caller reads events. */
  streamed: boolean;
};

/** Measures the recording, too. Throws 400 with `param`. */
export const toTranscriptionOrder = ({ fields, files }: Multipart): Form => {
  const file = files["file"];
  if (file === undefined) throw invalidRequest("`file` is required: an audio file.", "file");
  if (file.bytes.length > BOUNDS.audioBytes) throw fileTooLarge();
  const extension = /\.([a-z0-9]{1,8})$/i.exec(file.name)?.[1]?.toLowerCase() ?? "";
  const named = ownValue(MEDIA_TYPES, extension);
  if (named === undefined)
    throw invalidRequest(
      `Unsupported audio format: the file name must end in ${Object.keys(MEDIA_TYPES)
        .map((name) => `.${name}`)
        .join(", ")}.`,
      "file",
    );
  if (file.bytes.length === 0) throw invalidRequest("`file` is empty.", "file");
  const id = fields["model"];
  if (id === undefined || id === "") throw invalidRequest("`model` is required.", "model");
  const model = requireModel(TRANSCRIPTION_MODELS, id);
  const format = (fields["response_format"] || "json") as TranscriptFormat;
  if (!TRANSCRIPT_FORMATS.includes(format))
    throw invalidRequest(`\`response_format\` must be one of ${TRANSCRIPT_FORMATS.join(", ")}.`, "response_format");
  const language = fields["language"] || undefined;
  if (language !== undefined && !isLanguageCode(language))
    throw invalidRequest("`language` must be an ISO-639-1 code such as `en`.", "language");
  const streamed = fields["stream"] === "true";
  if (streamed && format !== "json" && format !== "text")
    throw invalidRequest(
      "`stream` is possible with the formats `json` and `text` only: events contain nothing but text.",
      "stream",
    );
  const prompt = fields["prompt"] || undefined;
  const granularities = (fields["timestamp_granularities[]"] || "segment").split(",");
  if (!granularities.every((granularity) => (GRANULARITIES as readonly string[]).includes(granularity)))
    throw invalidRequest("`timestamp_granularities[]` must be `word` or `segment`.", "timestamp_granularities[]");
  const durationSeconds = toMilliseconds(readDuration(file.bytes));
  if (durationSeconds === undefined)
    throw invalidRequest("Unsupported audio format: the file could not be read as audio.", "file");
  const found = audioFormat(file.bytes);
  const mediaType = MEDIA_TYPES[found]!;
  return {
    model,
    bytes: file.bytes,
    // Upstreams read the format from the extension, so a wrong one is corrected. The rest of the name is private.
    filename: `audio.${mediaType === named ? extension : found}`,
    mediaType,
    durationSeconds,
    format,
    streamed,
    ...(language !== undefined && { language: language.toLowerCase() }),
    ...(prompt !== undefined && { prompt }),
    ...(format === "verbose_json" && granularities.includes("word") && { words: true }),
    ...(fields["user"] && { userId: fields["user"] }),
  };
};

export const fileTooLarge = () => invalidRequest(`The file is larger than ${AUDIO_MEGABYTES} MB.`, "file");

/** Rounded up, so that the shortest recording counts as one. */
const toMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.ceil(seconds * 1000 - 1e-6) / 1000;

/** `json`, or with `isVerbose` `verbose_json`. */
export const toWireTranscript = (
  answer: Served<TranscriptionAnswer>,
  requestId: string,
  isVerbose: boolean,
): Static<typeof TranscriptionResult> => ({
  text: answer.transcript.text,
  // Gap: OpenAI's SDKs expect `duration` beside the segments.
  ...(isVerbose && {
    segments: [...answer.transcript.segments],
    language: answer.language ?? null,
    duration: answer.durationSeconds,
  }),
  ...(isVerbose && answer.words !== undefined && { words: [...answer.words] }),
  svc: {
    request_id: requestId,
    model_used: answer.model,
    audio_duration_seconds: answer.durationSeconds,
    cost_usd: toUsd(answer.costNanoUsd),
    latency_ms: answer.latencyMs,
    ...(answer.contentEvaluation !== undefined && { content_evaluation: answer.contentEvaluation }),
  },
});

/** The events that OpenAI's SDKs expect in a stream. The text comes in one piece, because no upstream is asked to stream it. */
export const toTranscriptEvents = (answer: Served<TranscriptionAnswer>, requestId: string) => {
  const { text, svc } = toWireTranscript(answer, requestId, false);
  return [...(text === "" ? [] : [{ type: "transcript.text.delta", delta: text }]), { type: "transcript.text.done", text, svc }];
};
