/** One reader for what transcription servers answer: OpenAI's verbose JSON, Groq's plain text, Mistral's segments, fal's chunks. */

import { isRecord } from "../../lib/is-record.ts";
import { listAt, numberAt, textAt, valueAt } from "../../lib/json-at.ts";
import { languageCodeOf } from "../../lib/language-codes.ts";
import type { SpokenText, TimedWord, Transcription } from "../media-calls.ts";
import { UpstreamError } from "../upstream-error.ts";

/** An empty text means silence. Throws if there is none at all, which is an error sent as a success. */
export const readTranscription = (json: unknown): Transcription => {
  if (!isRecord(json) || typeof json["text"] !== "string")
    throw new UpstreamError("server", "The transcriber sent an answer without text.");
  const first = valueAt(json, "languages", 0) ?? valueAt(json, "inferred_languages", 0);
  const language = textAt(json, "language") || textAt(first) || textAt(first, "code");
  const segments = readSegments(json);
  const words = readWords(json);
  return {
    text: json["text"].trim(),
    ...(language !== "" && { language: toLanguageCode(language) }),
    ...(segments.length > 0 && { segments }),
    ...(words.length > 0 && { words }),
  };
};

const readWords = (json: unknown): TimedWord[] =>
  listAt(json, "words").flatMap((row): TimedWord[] => {
    const [word, start, end] = [textAt(row, "word").trim(), numberAt(row, "start"), numberAt(row, "end")];
    return word === "" || start === undefined || end === undefined ? [] : [{ word, start, end: Math.max(start, end) }];
  });

const readSegments = (json: unknown): SpokenText[] =>
  [...listAt(json, "segments"), ...listAt(json, "chunks")].flatMap((row) => {
    const start = numberAt(row, "start") ?? numberAt(row, "timestamp", 0);
    if (start === undefined) return [];
    const end = numberAt(row, "end") ?? numberAt(row, "timestamp", 1) ?? start;
    const figures = figuresOf(row);
    const segment = { start, end: Math.max(start, end), text: textAt(row, "text") };
    return [Object.keys(figures).length > 0 ? { ...segment, figures } : segment];
  });

const FIGURES = ["seek", "temperature", "avg_logprob", "compression_ratio", "no_speech_prob"];

/** As Whisper judges a segment. */
const figuresOf = (row: unknown): Record<string, number> =>
  Object.fromEntries(
    FIGURES.flatMap((name) => {
      const figure = numberAt(row, name);
      return figure === undefined ? [] : [[name, figure]];
    }),
  );

/** Whisper names the language in English; spec.md speaks in ISO-639-1. An unknown name goes through as it came. */
export const toLanguageCode = (language: string): string => {
  const name = language.toLowerCase();
  if (/^[a-z]{2}(?:[-_]|$)/.test(name)) return name.slice(0, 2);
  return languageCodeOf(name) ?? name;
};
