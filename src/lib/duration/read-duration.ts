/**
 * How long a recording really is, for billing and limits. Every container is read by counting what is in it, in one pass:
 * headers lie (a WAV's data size, an MP3's Xing count, the length that FLAC and WebM declare), and the libraries that were
 * tried believe them, or need many seconds for a few megabytes of hostile bytes.
 */

import { asBuffer } from "../as-buffer.ts";
import { flacSeconds } from "./flac.ts";
import { mp3Seconds, skipId3 } from "./mp3.ts";
import { filmSeconds, mp4Seconds } from "./mp4.ts";
import { mpegProgramSeconds } from "./mpeg-program.ts";
import { oggSeconds } from "./ogg.ts";
import { wavSeconds } from "./wav.ts";
import { webmSeconds } from "./webm.ts";

/** Seconds; undefined if the bytes are not a readable recording. The bytes decide, not the file's name. */
export const readDuration = (bytes: Uint8Array): number | undefined => {
  const recording = recordingIn(bytes);
  const seconds = measure(READERS[formatOf(recording)], recording) ?? 0;
  return seconds > 0 && seconds <= bytes.length / LEAST_BYTES_A_SECOND ? seconds : undefined;
};

/** Seconds of an MP4's longest track, with or without sound; undefined if there is none. */
export const readFilmDuration = (bytes: Uint8Array): number | undefined => measure(filmSeconds, asBuffer(bytes));

const measure = (read: (file: Buffer) => number | undefined, file: Buffer): number | undefined => {
  try {
    return read(file);
  } catch (error) {
    // A broken table points beyond the end of the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** Silence takes more in every format; a file of less has a damaged time in it, and would be billed by the year. */
const LEAST_BYTES_A_SECOND = 10;

const READERS = {
  wav: wavSeconds,
  flac: flacSeconds,
  ogg: oggSeconds,
  m4a: mp4Seconds,
  webm: webmSeconds,
  mpeg: mpegProgramSeconds,
  mp3: mp3Seconds,
};

/** The format of a readable file, as a file name's extension. */
export const audioFormat = (bytes: Uint8Array): keyof typeof READERS => formatOf(recordingIn(bytes));

const recordingIn = (bytes: Uint8Array): Buffer => asBuffer(bytes).subarray(skipId3(bytes));

const formatOf = (file: Buffer): keyof typeof READERS => {
  const starts = (text: string, at = 0) => text === file.toString("latin1", at, at + text.length);
  if ((starts("RIFF") || starts("RF64")) && starts("WAVE", 8)) return "wav";
  if (starts("fLaC")) return "flac";
  if (starts("OggS")) return "ogg";
  if (starts("ftyp", 4)) return "m4a";
  if (starts("\x1a\x45\xdf\xa3")) return "webm";
  if (starts("\x00\x00\x01\xba")) return "mpeg";
  return "mp3";
};
