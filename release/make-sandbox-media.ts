/**
 * Makes the short encoded samples that the sandbox assembles its files from (src/providers/sandbox/media/assets).
 * They are committed; run this again only to change them: `bun run release/make-sandbox-media.ts`. Needs ffmpeg with libx264, libmp3lame, libopus.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOOP_SAMPLES, SAMPLE_RATE, speechLoop } from "../src/providers/sandbox/media/speech-loop.ts";

const ASSETS = new URL("../src/providers/sandbox/media/assets/", import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), "sandbox-media-"));

/** `options` are separated by blanks. */
const ffmpeg = async (input: string[], options: string, output: string): Promise<void> => {
  const args = ["-v", "error", "-y", ...input, ...options.split(" "), output];
  const run = Bun.spawn(["ffmpeg", ...args], { stderr: "inherit" });
  if ((await run.exited) !== 0) throw new Error(`ffmpeg ${args.join(" ")} failed`);
};
const read = (path: string): Promise<Uint8Array> => Bun.file(path).bytes();
const keep = async (name: string, bytes: Uint8Array): Promise<void> => {
  await Bun.write(ASSETS + name, bytes);
  console.log(name, bytes.length);
};

/** Four rounds of the loop; the second is kept, clear of the encoder's run-in. */
const pcm = join(scratch, "loop.pcm");
const loop = speechLoop("alloy");
await Bun.write(pcm, Buffer.concat(Array.from({ length: 4 }, () => Buffer.from(loop.buffer))));
const input = ["-f", "s16le", "-ar", String(SAMPLE_RATE), "-ac", "1", "-i", pcm];
const secondRound = (frames: Uint8Array[], samplesPerFrame: number): Uint8Array[] => {
  const count = LOOP_SAMPLES / samplesPerFrame;
  return frames.slice(count, 2 * count);
};

// MP3: constant bit rate and no bit reservoir, so that every frame stands alone and has the same length.
const mp3 = join(scratch, "loop.mp3");
await ffmpeg(input, "-c:a libmp3lame -b:a 32k -reservoir 0 -write_xing 0 -id3v2_version 0", mp3);
await keep("speech-mp3.bin", Buffer.concat(secondRound(slices(await read(mp3), 96), 576)));

// Opus: constant bit rate, 20 ms packets of 60 bytes.
const opus = join(scratch, "loop.opus");
await ffmpeg(input, "-c:a libopus -b:a 24k -vbr off -frame_duration 20 -map 0:a -f data", opus);
await keep("speech-opus.bin", Buffer.concat(secondRound(slices(await read(opus), 60), 480)));

// AAC: frames differ in length, which makes players guess the duration; filled up to one length they need not.
const aac = join(scratch, "loop.aac");
await ffmpeg(input, "-c:a aac -b:a 32k -f adts", aac);
const frames = secondRound(adtsFrames(await read(aac)), 1024);
const longest = Math.max(...frames.map((frame) => frame.length)) + 8;
await keep("speech-aac.bin", Buffer.concat(frames.map((frame) => fillUp(frame, longest))));

// H.264: one second of a moving gradient for each shape the service offers, no B-frames, without the encoder's own notes.
const SHAPES = {
  "16x9-1080p": "1920x1080",
  "16x9-720p": "1280x720",
  "9x16-1080p": "1080x1920",
  "9x16-720p": "720x1280",
  "1x1-1080p": "1080x1080",
  "1x1-720p": "720x720",
  "4x3-1080p": "1440x1080",
  "4x3-720p": "960x720",
};
const X264 =
  "-c:v libx264 -profile:v high -crf 32 -preset veryslow -bf 0 -g 24 -pix_fmt yuv420p -bsf:v filter_units=remove_types=6 -map_metadata -1 -fflags +bitexact";
for (const [name, size] of Object.entries(SHAPES)) {
  const clip = join(scratch, `${name}.mp4`);
  const source = `gradients=s=${size}:r=24:d=1:c0=0x1d3557:c1=0x2a9d8f:c2=0xe9c46a:nb_colors=3:seed=7:speed=0.02`;
  await ffmpeg(["-f", "lavfi", "-i", source], X264, clip);
  await keep(`video-${name}.bin`, await read(clip));
}
rmSync(scratch, { recursive: true });

function slices(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

function adtsFrames(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at + 7 <= bytes.length; ) {
    const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
    found.push(bytes.subarray(at, at + length));
    at += length;
  }
  return found;
}

/** Puts fill elements (ISO 14496-3, ID_FIL) before the frame's end mark until it is `length` bytes long. */
function fillUp(frame: Uint8Array, length: number): Uint8Array {
  const bits: number[] = [];
  for (const byte of frame.subarray(7)) for (let bit = 7; bit >= 0; bit--) bits.push((byte >> bit) & 1);
  // The last set bit closes ID_END (111); only alignment zeros follow it.
  bits.length = bits.lastIndexOf(1) - 2;
  const put = (value: number, width: number) => {
    for (let bit = width - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  for (;;) {
    const free = length - 7 - Math.ceil((bits.length + 3) / 8);
    if (free <= 0) break;
    // 3 bits of id and 4 of count, then `count` bytes; small counts only, so that no escape is needed.
    const count = Math.min(14, Math.max(0, Math.floor(((length - 7) * 8 - 3 - bits.length - 7) / 8)));
    put(6, 3);
    put(count, 4);
    for (let index = 0; index < count; index++) put(index === 0 ? 0 : 0xa5, 8);
  }
  put(7, 3);
  while (bits.length % 8 !== 0) bits.push(0);
  const body = new Uint8Array(bits.length / 8);
  bits.forEach((bit, index) => {
    body[index >> 3]! |= bit << (7 - (index & 7));
  });
  const header = Uint8Array.from(frame.subarray(0, 7));
  header[3] = (header[3]! & 0xfc) | (length >> 11);
  header[4] = (length >> 3) & 0xff;
  header[5] = ((length & 7) << 5) | (header[5]! & 0x1f);
  if (7 + body.length !== length) throw new Error(`a frame of ${7 + body.length} bytes instead of ${length}`);
  return Buffer.concat([header, body]);
}
