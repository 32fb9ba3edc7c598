/** Speech, transcription and translation in OpenAI's format, which Groq, Mistral and most local servers have too. */

import { jsonOf } from "../../lib/is-json.ts";
import type { SpeechRequest, Transcription, TranscriptionRequest } from "../media-calls.ts";
import type { CallContext } from "../provider.ts";
import { type Piece, viewOf } from "../transport/piece.ts";
import type { OpenCall } from "../upstream/open-call.ts";
import { UpstreamError } from "../upstream-error.ts";
import { plainerIfRefused } from "./plainer-if-refused.ts";
import { readTranscription } from "./read-transcription.ts";
import { type Adapter, bearer, type MediaRequest, sendForAnswer, sendForBytes, vendorApi } from "./send-media-request.ts";

const TRANSCRIPT_BYTES = 20_000_000;

export const openAiAudio: Adapter<"speech" | "transcribe" | "translate"> = (endpoint) => {
  const api = vendorApi(endpoint, "", bearer(endpoint));
  const withoutTimesIfRefused = plainerIfRefused(/verbose_json|response_format|timestamp_granularit/i);
  const hear = async (asked: MediaRequest, context: CallContext): Promise<Transcription> =>
    parseTranscription(new TextDecoder().decode(await sendForBytes(api, asked, context, TRANSCRIPT_BYTES)));
  return {
    speech: async (model, request, context) => {
      const call = await sendForAnswer(api, buildSpeech(model, request), context);
      if (/^(application\/json|text\/)/.test(call.head().headers.get("content-type") ?? "")) {
        call.close();
        throw new UpstreamError("server", `${api.name} answered text instead of audio.`, { accepted: true });
      }
      return toStream(call);
    },
    transcribe: (model, request, context) =>
      // A server may have the times of segments, but not of words.
      withoutTimesIfRefused(request.words ? `${model} words` : model, (isPlain) =>
        hear(buildTranscription(model, request, !isPlain && givesSegments(model)), context),
      ),
    translate: (model, request, context) =>
      withoutTimesIfRefused(`${model} translating`, (isPlain) => hear(buildTranslation(model, request, !isPlain), context)),
  };
};

/** A slow caller slows the upstream; one that disconnects ends it. */
const toStream = (call: OpenCall): ReadableStream<Uint8Array> => {
  let room: (() => void) | undefined;
  return new ReadableStream({
    start: (controller) => {
      const take = (piece: Piece): Promise<void> => {
        call.contentSeen();
        controller.enqueue(viewOf(piece));
        return new Promise((resolve) => {
          room = resolve;
        });
      };
      call
        .flow(take)
        .then(
          () => controller.close(),
          (error) => controller.error(error),
        )
        .finally(call.close)
        // The reader has gone and closed it.
        .catch(() => undefined);
    },
    pull: () => room?.(),
    cancel: () => call.close(),
  });
};

const buildSpeech = (model: string, request: SpeechRequest): MediaRequest => ({
  url: "/audio/speech",
  json: {
    model,
    input: request.input,
    voice: request.voice,
    response_format: request.format,
    ...(request.speed !== 1 && { speed: request.speed }),
  },
});

/** Mistral's own models take the granularity alone. */
const buildTranscription = (model: string, request: TranscriptionRequest, withTimes: boolean): MediaRequest => {
  const form = recordingForm(model, request);
  if (model.startsWith("voxtral")) {
    // Mistral refuses a language beside timestamps, which it then detects by itself.
    form.append("timestamp_granularities[]", "segment");
  } else {
    form.set("response_format", withTimes ? "verbose_json" : "json");
    if (withTimes) form.append("timestamp_granularities[]", "segment");
    if (withTimes && request.words) form.append("timestamp_granularities[]", "word");
    if (request.language !== undefined) form.set("language", request.language);
    if (request.prompt !== undefined) form.set("prompt", request.prompt);
  }
  return { url: "/audio/transcriptions", form };
};

/** This endpoint has no language, since it answers English, and no granularities: `verbose_json` has the times of segments. */
const buildTranslation = (model: string, { prompt, temperature, ...request }: TranscriptionRequest, withTimes: boolean) => {
  const form = recordingForm(model, request);
  form.set("response_format", withTimes ? "verbose_json" : "json");
  if (prompt !== undefined) form.set("prompt", prompt);
  if (temperature !== undefined) form.set("temperature", String(temperature));
  return { url: "/audio/translations", form };
};

const recordingForm = (model: string, { bytes, mediaType, filename }: TranscriptionRequest): FormData => {
  const form = new FormData();
  form.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType }), filename);
  form.set("model", model);
  return form;
};

/** The GPT transcribers have no timestamps; every other model is asked for them, also if its server may have none (vLLM). */
const givesSegments = (model: string): boolean => !/^gpt-.*transcribe/.test(model);

/** Some servers answer plain text whatever was requested. */
const parseTranscription = (body: string): Transcription => {
  const value = jsonOf(body);
  return typeof value === "object" ? readTranscription(value) : { text: body.trim() };
};
