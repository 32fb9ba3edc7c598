/** Renders a transcript in the five formats of spec.md from text and segments, whatever the upstream supports. */

import type { SpokenText, TimedText } from "../providers/media-calls.ts";

export const TRANSCRIPT_FORMATS = ["json", "text", "srt", "vtt", "verbose_json"] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

type Segment = SpokenText & { id: number };
/** Every transcript has segments when it is rendered; without timestamps, one over the whole length. */
export type Transcript = { text: string; segments: readonly Segment[] };

export const renderText = ({ text }: Transcript): string => `${text}\n`;

export const renderSrt = ({ segments }: Transcript): string =>
  segments.map((segment, index) => `${index + 1}\n${cueTime(segment, ",")}\n${cueText(segment)}\n`).join("\n");

export const renderVtt = ({ segments }: Transcript): string =>
  `WEBVTT\n\n${segments.map((segment) => `${cueTime(segment, ".")}\n${cueText(segment)}\n`).join("\n")}`;

const cueTime = ({ start, end }: TimedText, mark: string): string => `${clock(start, mark)} --> ${clock(end, mark)}`;

/** A blank line or an arrow inside a cue would end it early. */
const cueText = ({ text }: TimedText): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n")
    .replaceAll("-->", "->");

/** `00:01:02,345` */
const clock = (seconds: number, mark: string): string => {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}${mark}${String(ms % 1000).padStart(3, "0")}`;
};

/** Segments within the recording and in order; if there are none, one over everything. */
export const toTranscript = (text: string, segments: readonly SpokenText[] | undefined, durationSeconds: number): Transcript => {
  const whole = text.trim();
  const within = (seconds: number) => Math.min(durationSeconds, Math.max(0, seconds));
  const spoken = (segments ?? [])
    .filter((segment) => segment.text.trim() !== "")
    .sort((a, b) => a.start - b.start)
    .map((segment, id) => ({
      ...segment,
      id,
      start: within(segment.start),
      end: within(segment.end),
      text: segment.text.trim(),
    }));
  if (spoken.length > 0)
    return { text: whole === "" ? spoken.map((segment) => segment.text).join(" ") : whole, segments: spoken };
  return { text: whole, segments: whole === "" ? [] : [{ id: 0, start: 0, end: durationSeconds, text: whole }] };
};
