/**
 * How long a recording really is, for billing and limits: the library names the container, and where a header could lie
 * (a WAV's data size, an MP3's Xing count, FLAC's and WebM's declared length) the frames themselves are counted.
 */

import { parseBuffer } from "music-metadata";
import { mp4Seconds } from "../../lib/mp4-seconds.ts";
import { flacSeconds } from "./flac.ts";
import { mp3Seconds } from "./mp3.ts";
import { wavSeconds } from "./wav.ts";
import { webmSeconds } from "./webm.ts";

/** Seconds; undefined where the bytes are no recording that can be read. */
export const readDuration = async (bytes: Uint8Array, filename: string): Promise<number | undefined> => {
  const seconds = await secondsOf(bytes, filename);
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
};

/** A broken file sends a reader beyond its end; that is no recording. */
const secondsOf = async (bytes: Uint8Array, filename: string): Promise<number | undefined> => {
  try {
    const counted = countSeconds(bytes);
    if (counted !== "other") return counted;
    const { format } = await parseBuffer(bytes, { path: filename, size: bytes.length }, { duration: true, skipCovers: true });
    return format.duration;
  } catch {
    return undefined;
  }
};

/** Containers whose frames we count ourselves, told by their first bytes. */
const countSeconds = (bytes: Uint8Array): number | undefined | "other" => {
  const starts = (text: string, at = 0) =>
    text.split("").every((character, index) => bytes[at + index] === character.charCodeAt(0));
  if (starts("RIFF") && starts("WAVE", 8)) return wavSeconds(bytes);
  if (starts("fLaC")) return flacSeconds(bytes);
  if (starts("ftyp", 4)) return mp4Seconds(bytes);
  if (bytes[0] === 0x1a && bytes[1] === 0x45 && bytes[2] === 0xdf && bytes[3] === 0xa3) return webmSeconds(bytes);
  if (starts("ID3") || (bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2)) return mp3Seconds(bytes);
  return "other";
};
