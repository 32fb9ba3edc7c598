/** MPEG program streams (`.mpeg` with pictures): the sound is cut into packets, which are put together again and counted as MPEG audio. */

import { mp3Seconds } from "./mp3.ts";

const PACK = 0xba;
const FIRST_AUDIO = 0xc0;
const LAST_AUDIO = 0xdf;

export const mpegProgramSeconds = (bytes: Buffer): number | undefined => {
  // In one piece, because a recording may consist of millions of packets.
  const sound = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let heard: number | undefined;
  for (let at = 0; at + 6 <= bytes.length; ) {
    const code = bytes[at + 3]!;
    if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1 || code < PACK) {
      at++;
      continue;
    }
    if (code === PACK) {
      at += 4;
      continue;
    }
    const end = at + 6 + bytes[at + 4]! * 256 + bytes[at + 5]!;
    if (code >= FIRST_AUDIO && code <= LAST_AUDIO && (heard ?? code) === code) {
      heard = code;
      length += bytes.copy(sound, length, Math.min(payloadStart(bytes, at + 6), end, bytes.length), end);
    }
    at = end;
  }
  return mp3Seconds(sound.subarray(0, length));
};

/** MPEG-2 says how long a packet's head is; MPEG-1's is told from its marks. */
const payloadStart = (bytes: Uint8Array, head: number): number => {
  if ((bytes[head]! & 0xc0) === 0x80) return head + 3 + bytes[head + 2]!;
  let at = head;
  while (bytes[at] === 0xff) at++;
  if ((bytes[at]! & 0xc0) === 0x40) at += 2;
  const mark = bytes[at]! >> 4;
  return at + (mark === 3 ? 10 : mark === 2 ? 5 : 1);
};
