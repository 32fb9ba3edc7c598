/**
 * The sandbox's voice: 1.92 seconds of babble, made of harmonics under two formants, which repeats without a click. Its length is a whole
 * number of MP3, AAC and Opus frames, so that every format repeats the same loop.
 */

export const SAMPLE_RATE = 24_000;
/** 80 MP3 frames of 576 samples, 45 AAC frames of 1,024, 96 Opus packets of 480. */
export const LOOP_SAMPLES = 46_080;
const SYLLABLES = 12;
const SYLLABLE_SAMPLES = LOOP_SAMPLES / SYLLABLES;

/** The two formants of each syllable's vowel, in Hz; null is a pause between words. */
const VOWELS = [
  [730, 1090],
  [270, 2290],
  [570, 840],
  null,
  [530, 1840],
  [300, 870],
  [660, 1720],
  [440, 1020],
  null,
  [390, 1990],
  [640, 1190],
  null,
] as const;

const PITCH_OF: Record<string, number> = { alloy: 150, echo: 115, fable: 170, onyx: 95, nova: 205, shimmer: 225 };

/** 16-bit mono samples; the pitch is the voice's. */
export const speechLoop = (voice: string): Int16Array => {
  const samples = new Int16Array(LOOP_SAMPLES);
  const pitch = PITCH_OF[voice] ?? 150;
  for (let syllable = 0; syllable < SYLLABLES; syllable++) {
    const formants = VOWELS[syllable];
    if (formants) drawSyllable(samples, syllable * SYLLABLE_SAMPLES, pitch * (1 + 0.06 * Math.sin(syllable * 2.1)), formants);
  }
  return samples;
};

const drawSyllable = (samples: Int16Array, from: number, pitch: number, formants: readonly [number, number]): void => {
  const sum = new Float64Array(SYLLABLE_SAMPLES);
  for (let hertz = pitch; hertz < 4_000; hertz += pitch) {
    addSine(
      sum,
      (2 * Math.PI * hertz) / SAMPLE_RATE,
      Math.max(...formants.map((formant) => 1 / (1 + ((hertz - formant) / 120) ** 2))) + 0.02,
    );
  }
  for (let index = 0; index < SYLLABLE_SAMPLES; index++) {
    const swell = Math.sin((Math.PI * index) / SYLLABLE_SAMPLES) ** 2;
    samples[from + index] = Math.round(5_500 * swell * sum[index]!);
  }
};

/** By the recurrence of sines, which is several times faster than Math.sin for each sample. */
const addSine = (sum: Float64Array, step: number, strength: number): void => {
  const turn = 2 * Math.cos(step);
  let before = -Math.sin(step) * strength;
  let here = 0;
  for (let index = 0; index < sum.length; index++) {
    sum[index]! += here;
    const next = turn * here - before;
    before = here;
    here = next;
  }
};

const CHARACTERS_PER_SECOND = 15;
const SHORTEST_SECONDS = 0.4;

/** How long a person would take to read the text, in samples. */
export const speechSamples = (input: string, speed: number): number =>
  Math.round((SAMPLE_RATE * Math.max(SHORTEST_SECONDS, input.length / CHARACTERS_PER_SECOND)) / speed);
