/** `POST /v1/audio/speech`, `/transcriptions` and `/translations`, also what OpenAI's SDKs call. */

import { Elysia } from "elysia";
import type { Caller } from "../accounts/authenticate.ts";
import { describe } from "../http/describe.ts";
import { type GuardRule, guarded, showRate } from "../http/guarded.ts";
import type { HeaderName } from "../http/openapi/openapi-components.ts";
import { readJson } from "../http/read-json.ts";
import { type Multipart, readMultipart } from "../http/read-multipart.ts";
import { SSE_HEADERS } from "../http/sse.ts";
import { toUsd, usdText } from "../lib/money.ts";
import { BOUNDS } from "../limits/bounds.ts";
import { eventsResponse, soundEvents } from "../media/media-events.ts";
import type { Platform } from "../platform.ts";
import { renderSrt, renderText, renderVtt, type Transcript, type TranscriptFormat } from "./render-transcript.ts";
import { brokenSpeech, SPEECH_PATH, speak } from "./speak.ts";
import { SPEECH_MEDIA_TYPES, Speech, toSpeechOrder } from "./speech-wire.ts";
import { TRANSCRIPTION_PATH, TRANSLATION_PATH, transcribe } from "./transcribe.ts";
import {
  fileTooLarge,
  type ReadForm,
  TranscriptionForm,
  TranscriptionResult,
  toTranscriptEvents,
  toTranscriptionOrder,
  toWireTranscript,
} from "./transcription-wire.ts";
import { TranslationForm, toTranslationOrder } from "./translation-wire.ts";

const RECORDING_BYTES = BOUNDS.audioBytes + BOUNDS.multipartOverheadBytes;

export const audioRoutes = (platform: Platform) =>
  new Elysia()
    .use(guarded(platform))
    .post(
      SPEECH_PATH,
      async ({ caller, request, set }) => {
        const body = await readJson(request, Speech);
        const order = toSpeechOrder(body, platform.config.file.media_aliases);
        const { audio, ...answer } = await speak(platform, caller, { ...order, signal: request.signal });
        Object.assign(set.headers, svcHeaders(caller, answer));
        return body.stream_format === "sse"
          ? new Response(speechEvents(audio, caller, answer), { headers: SSE_HEADERS })
          : new Response(audio, { headers: { "content-type": SPEECH_MEDIA_TYPES[order.format] } });
      },
      {
        guard: { scope: "media", group: "speech" },
        detail: describe({
          summary: "Turn text into speech",
          tags: ["media"],
          body: Speech,
          response: { mediaType: [...Object.values(SPEECH_MEDIA_TYPES), "text/event-stream"] },
          headers: SVC_HEADERS,
        }),
      },
    )
    .post(
      TRANSCRIPTION_PATH,
      (asked) => hear(platform, asked, (form) => toTranscriptionOrder(form, platform.config.file.media_aliases)),
      {
        guard: HEARING,
        detail: describe({
          summary: "Turn speech into text",
          tags: ["media"],
          multipart: TranscriptionForm,
          response: TranscriptionResult,
          otherMediaTypes: ["text/event-stream", "text/plain", "application/x-subrip", "text/vtt"],
          headers: [...SVC_HEADERS, "X-Svc-Audio-Duration-Seconds"],
        }),
      },
    )
    .post(TRANSLATION_PATH, (asked) => hear(platform, asked, (form) => toTranslationOrder(form, platform.config.file)), {
      guard: HEARING,
      detail: describe({
        summary: "Turn speech into English text",
        tags: ["media"],
        multipart: TranslationForm,
        response: TranscriptionResult,
        otherMediaTypes: ["text/plain", "application/x-subrip", "text/vtt"],
        headers: [...SVC_HEADERS, "X-Svc-Audio-Duration-Seconds"],
      }),
    });

const HEARING: GuardRule = { scope: "media", group: "transcription", countsItself: true, maxBytes: RECORDING_BYTES };

type Asked = { caller: Caller; request: Request; set: { headers: object } };

/** Answers a recording with what was said in it, in the format that the form asks for. */
const hear = async (platform: Platform, { caller, request, set }: Asked, read: (form: Multipart) => ReadForm) => {
  const form = await readMultipart(request, { maxBytes: RECORDING_BYTES, tooLarge: fileTooLarge });
  const { streamed, ...order } = read(form);
  const answer = await transcribe(platform, caller, { ...order, signal: request.signal }).finally(() =>
    showRate(platform, caller, "transcription", set.headers as Record<string, string>),
  );
  if (streamed) return eventsResponse(toTranscriptEvents(answer, caller.requestId));
  const plain = PLAIN_TRANSCRIPTS[order.format];
  if (plain === undefined) return toWireTranscript(answer, caller.requestId, order.format === "verbose_json");
  const duration = { "x-svc-audio-duration-seconds": String(answer.durationSeconds) };
  Object.assign(set.headers, svcHeaders(caller, answer), duration);
  return new Response(plain.render(answer.transcript), { headers: { "content-type": plain.mediaType } });
};

type PlainTranscript = { mediaType: string; render(transcript: Transcript): string };
/** Formats without room for `svc`, whose fields go into headers. */
const PLAIN_TRANSCRIPTS: Partial<Record<TranscriptFormat, PlainTranscript>> = {
  text: { mediaType: "text/plain; charset=utf-8", render: renderText },
  srt: { mediaType: "application/x-subrip; charset=utf-8", render: renderSrt },
  vtt: { mediaType: "text/vtt; charset=utf-8", render: renderVtt },
};

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
