/** Speech: files in all six formats, as long as reading the text aloud would take, written while they are read. */

import { streamOf } from "../../../lib/stream-of.ts";
import type { SpeechRequest } from "../../media-calls.ts";
import aacLoop from "./assets/speech-aac.bin" with { type: "file" };
import mp3Loop from "./assets/speech-mp3.bin" with { type: "file" };
import opusLoop from "./assets/speech-opus.bin" with { type: "file" };
import { flacPieces } from "./flac.ts";
import { oggOpusPieces } from "./ogg-opus.ts";
import { LOOP_SAMPLES, SAMPLE_RATE, speechLoop, speechSamples } from "./speech-loop.ts";

export const speak = async (request: SpeechRequest): Promise<ReadableStream<Uint8Array>> =>
  streamOf(inTurns(await piecesOf(request, speechSamples(request.input, request.speed))));

/** A reader that is never full would have all of them made in one go: a quarter of an hour as FLAC are 5,000. */
const MOST_AT_ONCE = 32;

/** Lets others be served meanwhile. */
async function* inTurns<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece> {
  let number = 0;
  for (const piece of pieces) {
    if (++number % MOST_AT_ONCE === 0) await new Promise(setImmediate);
    yield piece;
  }
}

const piecesOf = async (request: SpeechRequest, samples: number): Promise<Iterable<Uint8Array>> => {
  switch (request.format) {
    case "mp3":
      return framePieces(await Bun.file(mp3Loop).bytes(), MP3_FRAME_SAMPLES, samples);
    case "aac":
      return framePieces(await Bun.file(aacLoop).bytes(), AAC_FRAME_SAMPLES, samples);
    case "opus":
      return oggOpusPieces(await Bun.file(opusLoop).bytes(), samples);
    case "flac":
      return flacPieces(speechLoop(request.voice), SAMPLE_RATE, samples);
    case "wav":
      return wavPieces(speechLoop(request.voice), samples);
    case "pcm":
      return pcmPieces(speechLoop(request.voice), samples);
  }
};

const MP3_FRAME_SAMPLES = 576;
const AAC_FRAME_SAMPLES = 1024;

/** As many frames as the duration needs, from a loop of independent frames of the same length. */
const framePieces = (loop: Uint8Array, frameSamples: number, samples: number): Generator<Uint8Array> =>
  repeated(loop, Math.max(1, Math.round(samples / frameSamples)) * ((loop.length * frameSamples) / LOOP_SAMPLES));

const pcmPieces = (loop: Int16Array, samples: number): Generator<Uint8Array> =>
  repeated(new Uint8Array(loop.buffer), samples * 2);

function* repeated(loop: Uint8Array, bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= loop.length) yield left >= loop.length ? loop : loop.subarray(0, left);
}

function* wavPieces(loop: Int16Array, samples: number): Generator<Uint8Array> {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + samples * 2, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE, 24);
  header.writeUInt32LE(SAMPLE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(samples * 2, 40);
  yield header;
  yield* pcmPieces(loop, samples);
}
