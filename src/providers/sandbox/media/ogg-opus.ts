/** Writes Opus packets into an Ogg stream (RFC 3533, RFC 7845). The last page's position ends it at the exact sample. */

import { createChecksum } from "../../../lib/checksum.ts";
import { LOOP_SAMPLES, SAMPLE_RATE } from "./speech-loop.ts";

const PACKET_SAMPLES = 480;
/** Positions count samples at 48 kHz, whatever the input's rate. */
const TICKS_PER_SAMPLE = 48_000 / SAMPLE_RATE;
const PRE_SKIP_TICKS = 312;
const PACKETS_PER_PAGE = 50;
const SERIAL = 0x5167;
const checksum = createChecksum(32, 0x04c1_1db7);

/** `loop`: the packets of one loop, all of the same length below 255 bytes. */
export function* oggOpusPieces(loop: Uint8Array, samples: number): Generator<Uint8Array> {
  const packetBytes = loop.length / (LOOP_SAMPLES / PACKET_SAMPLES);
  yield oggPage({ flags: 2, position: 0, sequence: 0, packets: [opusHead()] });
  yield oggPage({ flags: 0, position: 0, sequence: 1, packets: [opusTags()] });
  const endTicks = PRE_SKIP_TICKS + samples * TICKS_PER_SAMPLE;
  const packetTicks = PACKET_SAMPLES * TICKS_PER_SAMPLE;
  const total = Math.ceil(endTicks / packetTicks);
  for (let sent = 0, sequence = 2; sent < total; sequence++) {
    const count = Math.min(PACKETS_PER_PAGE, total - sent);
    const packets = Array.from({ length: count }, (_, index) => {
      const at = ((sent + index) * packetBytes) % loop.length;
      return loop.subarray(at, at + packetBytes);
    });
    sent += count;
    const last = sent === total;
    yield oggPage({ flags: last ? 4 : 0, position: last ? endTicks : sent * packetTicks, sequence, packets });
  }
}

const opusHead = (): Uint8Array => {
  const head = Buffer.alloc(19);
  head.write("OpusHead", 0, "latin1");
  head[8] = 1;
  head[9] = 1;
  head.writeUInt16LE(PRE_SKIP_TICKS, 10);
  head.writeUInt32LE(SAMPLE_RATE, 12);
  return head;
};

const opusTags = (): Uint8Array => {
  const vendor = "signalbox sandbox";
  const tags = Buffer.alloc(16 + vendor.length);
  tags.write("OpusTags", 0, "latin1");
  tags.writeUInt32LE(vendor.length, 8);
  tags.write(vendor, 12, "latin1");
  return tags;
};

type Page = { flags: number; position: number; sequence: number; packets: readonly Uint8Array[] };

const oggPage = ({ flags, position, sequence, packets }: Page): Uint8Array => {
  const header = Buffer.alloc(27 + packets.length);
  header.write("OggS", 0, "latin1");
  header[5] = flags;
  header.writeBigUInt64LE(BigInt(position), 6);
  header.writeUInt32LE(SERIAL, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = packets.length;
  packets.forEach((packet, index) => {
    header[27 + index] = packet.length;
  });
  const page = Buffer.concat([header, ...packets]);
  page.writeUInt32LE(checksum(page), 22);
  return page;
};
