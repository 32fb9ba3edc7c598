/** Transcriptions: always the same sentences, with timestamps over the whole length of the recording. */

import type { TimedText, TimedWord, Transcription, TranscriptionRequest } from "../../media-calls.ts";

const SENTENCES = [
  "This is a transcript made by the sandbox.",
  "No recording left this machine.",
  "The signal box sets the route before the train arrives.",
  "Each lever moves one switch, and each switch is locked while a train is near.",
  "The timetable is kept, the lamps are lit, and the line is clear.",
  "A second bell tells the next box that the train has passed.",
  "Rain has made the platform wet, so please mind the gap.",
  "The last train of the evening is expected on time.",
];

const SECONDS_PER_SEGMENT = 4;

export const transcribe = (request: TranscriptionRequest, reply?: string): Transcription => {
  const duration = request.durationSeconds;
  const count = Math.max(1, Math.round(duration / SECONDS_PER_SEGMENT));
  const sentences =
    reply === undefined ? Array.from({ length: count }, (_, index) => SENTENCES[index % SENTENCES.length]!) : [reply];
  const step = duration / sentences.length;
  const segments = sentences.map((text, index) => ({
    start: round(index * step),
    end: index === sentences.length - 1 ? duration : round((index + 1) * step),
    text,
  }));
  return {
    text: sentences.join(" "),
    language: request.language ?? "en",
    segments,
    ...(request.words && { words: segments.flatMap(wordsOf) }),
  };
};

/** The words of a sentence share its time equally. */
const wordsOf = ({ text, start, end }: TimedText): TimedWord[] => {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const step = (end - start) / words.length;
  return words.map((word, index) => ({ word, start: round(start + index * step), end: round(start + (index + 1) * step) }));
};

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;
