/** Speech and transcription in OpenAI's shape, which Groq, Mistral and most local servers speak too. */

import type { CallContext, SpeechRequest, Transcription, TranscriptionRequest } from "../provider.ts";
import { UpstreamError } from "../provider.ts";
import { emptyAnswer } from "./media-error.ts";
import { readTranscription } from "./read-transcription.ts";
import { type MediaEndpoint, type MediaRequest, readBytes, sendMediaRequest } from "./send-media-request.ts";

const TRANSCRIPT_BYTES = 20_000_000;

export const openAiAudio = (endpoint: MediaEndpoint) => ({
  speech: async (model: string, request: SpeechRequest, context: CallContext): Promise<ReadableStream<Uint8Array>> => {
    const answer = await sendMediaRequest(buildSpeech(endpoint, model, request), context, endpoint.firstByteMs);
    if (/^(application\/json|text\/)/.test(answer.headers.get("content-type") ?? "")) {
      await answer.body?.cancel();
      throw new UpstreamError("server", "The upstream answered text instead of audio.", { accepted: true });
    }
    if (answer.body === null) throw emptyAnswer("audio");
    return answer.body;
  },
  transcribe: async (model: string, request: TranscriptionRequest, context: CallContext): Promise<Transcription> => {
    const answer = await sendMediaRequest(buildTranscription(endpoint, model, request), context, endpoint.firstByteMs);
    const text = new TextDecoder().decode(await readBytes(answer.body, TRANSCRIPT_BYTES, context));
    return parseTranscription(text);
  },
});

const headers = (endpoint: MediaEndpoint): Record<string, string> =>
  endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` };

export const buildSpeech = (endpoint: MediaEndpoint, model: string, request: SpeechRequest): MediaRequest => ({
  url: `${endpoint.baseUrl}/audio/speech`,
  headers: headers(endpoint),
  json: {
    model,
    input: request.input,
    voice: endpoint.voices?.[request.voice] ?? request.voice,
    response_format: request.format,
    ...(request.speed !== 1 && { speed: request.speed }),
  },
});

/** The GPT transcribers know no timestamps; every other server is asked for them. Mistral asks by granularity alone. */
export const buildTranscription = (endpoint: MediaEndpoint, model: string, request: TranscriptionRequest): MediaRequest => {
  const form = new FormData();
  form.set("file", new Blob([request.bytes as Uint8Array<ArrayBuffer>], { type: request.mediaType }), request.filename);
  form.set("model", model);
  if (model.startsWith("voxtral")) {
    // Mistral refuses a language beside timestamps, which it then detects by itself.
    form.append("timestamp_granularities[]", "segment");
  } else {
    form.set("response_format", givesSegments(model) ? "verbose_json" : "json");
    if (givesSegments(model)) form.append("timestamp_granularities[]", "segment");
    if (request.language !== undefined) form.set("language", request.language);
    if (request.prompt !== undefined) form.set("prompt", request.prompt);
  }
  return { url: `${endpoint.baseUrl}/audio/transcriptions`, headers: headers(endpoint), form };
};

/** Whether an OpenAI-shaped transcriber can say when a sentence was spoken. */
export const givesSegments = (model: string): boolean => !/^gpt-.*transcribe/.test(model);

/** Some servers answer bare text whatever was asked. */
export const parseTranscription = (body: string): Transcription => {
  if (!body.trimStart().startsWith("{")) return { text: body.trim() };
  try {
    return readTranscription(JSON.parse(body));
  } catch {
    return { text: body.trim() };
  }
};
