/** `POST /v1/audio/speech` and `POST /v1/audio/transcriptions`, also what OpenAI's SDKs call. */

import { Elysia } from "elysia";
import type { Caller } from "../accounts/authenticate.ts";
import { invalidRequest } from "../api-error.ts";
import { describe } from "../http/describe.ts";
import { guarded, showRate } from "../http/guarded.ts";
import type { HeaderName } from "../http/openapi/openapi-components.ts";
import { readJson } from "../http/read-json.ts";
import { readMultipart } from "../http/read-multipart.ts";
import { SSE_HEADERS } from "../http/sse.ts";
import { readDuration } from "../lib/duration/read-duration.ts";
import { toUsd, usdText } from "../lib/money.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { eventsResponse, soundEvents } from "../media/media-events.ts";
import type { Served } from "../media/serve-media-call.ts";
import type { Platform } from "../platform.ts";
import { renderSrt, renderText, renderVtt, type Transcript, type TranscriptFormat } from "./render-transcript.ts";
import { brokenSpeech, speak } from "./speak.ts";
import { type TranscriptionAnswer, transcribe } from "./transcribe.ts";
import {
  fileTooLarge,
  SPEECH_MEDIA_TYPES,
  Speech,
  TranscriptionForm,
  TranscriptionResult,
  toSpeechOrder,
  toTranscriptionOrder,
} from "./wire.ts";

const SPEECH_PATH = "/v1/audio/speech";
const TRANSCRIPTION_PATH = "/v1/audio/transcriptions";

export const audioRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .post(
      SPEECH_PATH,
      async ({ caller, request, set }) => {
        const body = await readJson(request, Speech);
        const order = toSpeechOrder(body);
        const { audio, ...answer } = await speak(platform, caller, { ...order, route: SPEECH_PATH, signal: request.signal });
        const headers = body.stream_format === "sse" ? SSE_HEADERS : { "content-type": SPEECH_MEDIA_TYPES[order.format] };
        Object.assign(set.headers, svcHeaders(caller, answer), headers);
        return new Response(body.stream_format === "sse" ? speechEvents(audio, caller, answer) : audio, { headers });
      },
      {
        guard: { scope: "media", group: "speech" },
        detail: describe({
          summary: "Turn text into speech",
          tags: ["media"],
          body: Speech,
          response: {
            mediaType: ["audio/mpeg", "audio/opus", "audio/aac", "audio/flac", "audio/wav", "audio/pcm", "text/event-stream"],
          },
          headers: SVC_HEADERS,
          errors: [503],
        }),
      },
    )
    .post(
      TRANSCRIPTION_PATH,
      ({ caller, request, set }) => transcription(platform, caller, request, set.headers as Record<string, string>),
      {
        guard: { scope: "media", group: "transcription", countsItself: true },
        detail: describe({
          summary: "Turn speech into text",
          tags: ["media"],
          multipart: TranscriptionForm,
          response: TranscriptionResult,
          otherMediaTypes: ["text/event-stream", "text/plain", "application/x-subrip", "text/vtt"],
          headers: [...SVC_HEADERS, "X-Svc-Audio-Duration-Seconds"],
          errors: [415, 503],
        }),
      },
    );

type Costed = { model: string; costNanoUsd: number; latencyMs: number };

/** As the OpenAPI document names them. */
const SVC_HEADERS: HeaderName[] = ["X-Svc-Model-Used", "X-Svc-Cost-Usd", "X-Svc-Latency-Ms"];

const svcHeaders = (caller: Caller, answer: Costed): Record<string, string> => ({
  "x-svc-request-id": caller.requestId,
  "x-svc-model-used": answer.model,
  "x-svc-cost-usd": usdText(answer.costNanoUsd),
  "x-svc-latency-ms": String(answer.latencyMs),
});

/** Gap: speech is billed by the character, so the token counts that OpenAI's clients expect are zero. */
const speechEvents = (audio: ReadableStream<Uint8Array>, { requestId }: Caller, { model, costNanoUsd }: Costed) =>
  soundEvents(audio, {
    done: {
      type: "speech.audio.done",
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      svc: { request_id: requestId, model_used: model, cost_usd: toUsd(costNanoUsd) },
    },
    broken: brokenSpeech(),
    requestId,
  });

const transcription = async (
  platform: Platform,
  caller: Caller,
  request: Request,
  headers: Record<string, string>,
): Promise<Response> => {
  const maxBytes = BOUNDS.audioBytes + BOUNDS.multipartOverheadBytes;
  const form = toTranscriptionOrder(await readMultipart(request, { maxBytes, tooLarge: fileTooLarge }));
  const durationSeconds = toMilliseconds(readDuration(form.bytes));
  if (durationSeconds === undefined)
    throw invalidRequest("Unsupported audio format: the file could not be read as audio.", "file");
  const answer = await transcribe(platform, caller, {
    ...form,
    durationSeconds,
    route: TRANSCRIPTION_PATH,
    signal: request.signal,
  });
  showRate(platform, caller, "transcription", headers);
  return form.streamed
    ? eventsResponse(transcriptEvents(answer, durationSeconds, caller))
    : render(form.format, answer, durationSeconds, caller, headers);
};

/** Rounded up, so that the shortest recording counts as one. */
const toMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.ceil(seconds * 1000 - 1e-6) / 1000;

const PLAIN: Partial<Record<TranscriptFormat, { mediaType: string; render: (transcript: Transcript) => string }>> = {
  text: { mediaType: "text/plain; charset=utf-8", render: renderText },
  srt: { mediaType: "application/x-subrip; charset=utf-8", render: renderSrt },
  vtt: { mediaType: "text/vtt; charset=utf-8", render: renderVtt },
};

/** Formats without room for `svc` carry its fields in headers. */
const render = (
  format: TranscriptFormat,
  answer: Served<TranscriptionAnswer>,
  durationSeconds: number,
  caller: Caller,
  headers: Record<string, string>,
): Response => {
  const plain = PLAIN[format];
  if (plain !== undefined) {
    Object.assign(headers, svcHeaders(caller, answer), { "x-svc-audio-duration-seconds": String(durationSeconds) });
    return new Response(plain.render(answer.transcript), { headers: { "content-type": plain.mediaType } });
  }
  const { text, segments } = answer.transcript;
  return Response.json({
    text,
    // Gap: OpenAI's SDKs expect `duration` beside the segments.
    ...(format === "verbose_json" && { segments, language: answer.language ?? null, duration: durationSeconds }),
    ...(format === "verbose_json" && answer.words !== undefined && { words: answer.words }),
    svc: transcriptSvc(answer, durationSeconds, caller),
  });
};

/** The text comes in one piece, because no upstream is asked to stream it. */
const transcriptEvents = (answer: Served<TranscriptionAnswer>, durationSeconds: number, caller: Caller) => {
  const { text } = answer.transcript;
  return [
    ...(text === "" ? [] : [{ type: "transcript.text.delta", delta: text }]),
    { type: "transcript.text.done", text, svc: transcriptSvc(answer, durationSeconds, caller) },
  ];
};

const transcriptSvc = (answer: Served<TranscriptionAnswer>, durationSeconds: number, { requestId }: Caller) => ({
  request_id: requestId,
  model_used: answer.model,
  audio_duration_seconds: durationSeconds,
  cost_usd: toUsd(answer.costNanoUsd),
  latency_ms: answer.latencyMs,
  ...(answer.contentEvaluation !== undefined && { content_evaluation: answer.contentEvaluation }),
});
