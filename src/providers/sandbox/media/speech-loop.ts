/**
 * The sandbox's voice: 1.92 seconds of humming, which repeats without a click. Its length is a whole number of MP3, AAC and Opus frames, so
 * that every format repeats the same loop.
 */

export const SAMPLE_RATE = 24_000;
/** 80 MP3 frames of 576 samples, 45 AAC frames of 1,024, 96 Opus packets of 480. */
export const LOOP_SAMPLES = 46_080;
const SYLLABLE_SAMPLES = LOOP_SAMPLES / 12;
const LOUDNESS = 8_000;

const PITCH_OF: Record<string, number> = { alloy: 150, echo: 115, fable: 170, onyx: 95, nova: 205, shimmer: 225 };

/** 16-bit mono samples, which swell and fade with each syllable; the pitch in Hz is the voice's. */
export const speechLoop = (voice: string): Int16Array => {
  const [turn, swell] = [(2 * Math.PI * (PITCH_OF[voice] ?? 150)) / SAMPLE_RATE, Math.PI / SYLLABLE_SAMPLES];
  return Int16Array.from({ length: LOOP_SAMPLES }, (_, at) =>
    Math.round(LOUDNESS * Math.sin(swell * at) ** 2 * (Math.sin(turn * at) + Math.sin(3 * turn * at) / 3)),
  );
};

const CHARACTERS_PER_SECOND = 15;
const SHORTEST_SECONDS = 0.4;

/** How long a person would take to read the text, in samples. */
export const speechSamples = (input: string, speed: number): number =>
  Math.round((SAMPLE_RATE * Math.max(SHORTEST_SECONDS, input.length / CHARACTERS_PER_SECOND)) / speed);
