/** `POST /v1/audio/transcriptions` on the wire (spec.md "Transcription"), and what translations share with it. */

import { type Static, Type } from "@sinclair/typebox";
import { invalidRequest } from "../api-error.ts";
import { TRANSCRIPTION_MODELS } from "../catalog/media-models.ts";
import type { Multipart } from "../http/read-multipart.ts";
import { readTexts } from "../http/read-query.ts";
import { audioFormat, readDuration } from "../lib/duration/read-duration.ts";
import { isLanguageCode } from "../lib/language-codes.ts";
import { toUsd } from "../lib/money.ts";
import { nullable } from "../lib/nullable.ts";
import { oneOf } from "../lib/one-of.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { type MediaAliases, requireModel } from "../media/require-model.ts";
import type { Served } from "../media/serve-prompt-call.ts";
import { TRANSCRIPT_FORMATS } from "./render-transcript.ts";
import type { TranscriptionAnswer, TranscriptionOrder } from "./transcribe.ts";

const AUDIO_MEGABYTES = BOUNDS.audioBytes / 1_048_576;

const Fields = Type.Object({
  model: Type.String(),
  language: Type.Optional(Type.String({ description: "ISO-639-1; detected if absent." })),
  response_format: Type.Optional(oneOf(TRANSCRIPT_FORMATS, { default: "json" })),
  stream: Type.Optional(
    Type.Boolean({ description: "Sends the text as events when it is complete; only with `json` and `text`." }),
  ),
  prompt: Type.Optional(Type.String({ description: "Words that guide the spelling." })),
  "timestamp_granularities[]": Type.Optional(
    Type.Array(oneOf(["word", "segment"]), {
      description: "`word` adds `words` to `verbose_json`, if the upstream reports them.",
    }),
  ),
  user: Type.Optional(Type.String({ maxLength: BOUNDS.nameCharacters })),
});

export const TranscriptionForm = Type.Object({
  file: Type.String({ format: "binary", description: `At most ${AUDIO_MEGABYTES} MB.` }),
  ...Fields.properties,
});

export const TranscriptionResult = Type.Object({
  text: Type.String(),
  language: nullable(Type.String()),
  duration: Type.Optional(Type.Number()),
  segments: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Integer(),
        seek: Type.Integer(),
        start: Type.Number(),
        end: Type.Number(),
        text: Type.String(),
        tokens: Type.Array(Type.Integer()),
        temperature: Type.Number(),
        avg_logprob: Type.Number(),
        compression_ratio: Type.Number(),
        no_speech_prob: Type.Number(),
      }),
    ),
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
/** Endings of voice messages, which are Ogg; not every upstream knows them. */
const OGG_ENDINGS = ["oga", "opus"];

export type ReadForm = Omit<TranscriptionOrder, "signal"> & {
  /** The caller reads events. */
  streamed: boolean;
};

/** Throws 400 with `param`. What is in the file is read last, since that takes longest. */
export const toTranscriptionOrder = ({ fields, files }: Multipart, aliases?: MediaAliases): ReadForm => {
  const file = requireAudioFile(files["file"]);
  const { response_format: format = "json", stream: streamed = false, ...asked } = readTexts(Fields, (name) => fields[name]);
  const model = requireModel(TRANSCRIPTION_MODELS, asked.model, aliases);
  const language = asked.language?.toLowerCase();
  if (language !== undefined && !isLanguageCode(language))
    throw invalidRequest("`language` must be an ISO-639-1 code such as `en`.", "language");
  if (streamed && format !== "json" && format !== "text")
    throw invalidRequest(
      "`stream` is possible with the formats `json` and `text` only: events contain nothing but text.",
      "stream",
    );
  return {
    task: "transcribe",
    model,
    ...recordingOf(file),
    format,
    streamed,
    language,
    prompt: asked.prompt,
    words: format === "verbose_json" && asked["timestamp_granularities[]"]?.includes("word"),
    userId: asked.user,
  };
};

type AudioFile = { bytes: Uint8Array; extension: string };

export const requireAudioFile = (file: Multipart["files"][string] | undefined): AudioFile => {
  if (file === undefined) throw invalidRequest("`file` is required: an audio file.", "file");
  if (file.bytes.length > BOUNDS.audioBytes) throw fileTooLarge();
  const extension = /\.([a-z0-9]{1,8})$/i.exec(file.name)?.[1]?.toLowerCase() ?? "";
  // What a browser records is a Blob called `blob`, whose type says that it is sound.
  const isNamed = Object.hasOwn(MEDIA_TYPES, extension) || OGG_ENDINGS.includes(extension);
  if (!isNamed && !(extension === "" && /^(audio|video)\//i.test(file.type ?? ""))) {
    const extensions = Object.keys(MEDIA_TYPES).map((name) => `.${name}`);
    throw invalidRequest(`Unsupported audio format: the file name must end in ${extensions.join(", ")}.`, "file");
  }
  if (file.bytes.length === 0) throw invalidRequest("`file` is empty.", "file");
  return { bytes: file.bytes, extension };
};

export const fileTooLarge = () => invalidRequest(`The file is larger than ${AUDIO_MEGABYTES} MB.`, "file");

/** Upstreams read the format from the file name's extension, so a wrong one is corrected. The rest of the name is private. */
export const recordingOf = ({ bytes, extension }: AudioFile) => {
  const seconds = readDuration(bytes);
  if (seconds === undefined) throw invalidRequest("Unsupported audio format: the file could not be read as audio.", "file");
  const found = audioFormat(bytes);
  const mediaType = MEDIA_TYPES[found]!;
  const filename = `audio.${mediaType === MEDIA_TYPES[extension] ? extension : found}`;
  // Milliseconds, rounded up, so that the shortest recording counts as one.
  return { bytes, filename, mediaType, durationSeconds: Math.ceil(seconds * 1000 - 1e-6) / 1000 };
};

/** Of upstreams that tell no figures: OpenAI's SDKs require them, and a caller who filters by them would keep such a segment. */
const UNTOLD = { seek: 0, temperature: 0, avg_logprob: 0, compression_ratio: 1, no_speech_prob: 0 };

/** Tokens are an upstream's own numbers, and may spell out what a policy redacted. */
const toWireSegment = ({ figures, ...segment }: TranscriptionAnswer["transcript"]["segments"][number]) => ({
  ...segment,
  ...UNTOLD,
  ...figures,
  tokens: [],
});

/** `json`, or with `isVerbose` `verbose_json`. */
export const toWireTranscript = (
  answer: Served<TranscriptionAnswer>,
  requestId: string,
  isVerbose: boolean,
): Static<typeof TranscriptionResult> => ({
  text: answer.transcript.text,
  // Gap: OpenAI's SDKs expect `duration` beside the segments.
  ...(isVerbose && {
    segments: answer.transcript.segments.map(toWireSegment),
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
