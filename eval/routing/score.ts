/** Scores of a classifier from pairs of truth and guess: accuracy, F1 by class, confusion, calibration. */

type Guess = { truth: string; guess: string; confidence: number };

export type Scores = {
  rows: number;
  accuracy: number;
  macroF1: number;
  f1: Record<string, number>;
  /** Accuracy of the most confident 80 %. */
  accuracyOfSurest80: number;
  calibrationError: number;
  /** confusion[truth][guess] */
  confusion: Record<string, Record<string, number>>;
};

export function score(guesses: Guess[], classes: readonly string[]): Scores {
  const confusion = Object.fromEntries(classes.map((truth) => [truth, Object.fromEntries(classes.map((guess) => [guess, 0]))]));
  for (const { truth, guess } of guesses) confusion[truth]![guess]!++;
  const f1 = Object.fromEntries(classes.map((label) => [label, f1Of(label, confusion, classes)]));
  const surest = guesses.toSorted((a, b) => b.confidence - a.confidence).slice(0, Math.floor(guesses.length * 0.8));
  return {
    rows: guesses.length,
    accuracy: accuracy(guesses),
    macroF1: Object.values(f1).reduce((sum, value) => sum + value, 0) / classes.length,
    f1,
    accuracyOfSurest80: accuracy(surest),
    calibrationError: calibrationError(guesses),
    confusion,
  };
}

const accuracy = (guesses: Guess[]): number =>
  guesses.filter(({ truth, guess }) => truth === guess).length / Math.max(1, guesses.length);

function f1Of(label: string, confusion: Scores["confusion"], classes: readonly string[]): number {
  const hits = confusion[label]![label]!;
  const of = (pick: (other: string) => number) => classes.reduce((sum, other) => sum + pick(other), 0);
  const wanted = of((other) => confusion[label]![other]!);
  const given = of((other) => confusion[other]![label]!);
  return wanted + given === 0 ? 0 : (2 * hits) / (wanted + given);
}

/** Mean distance between confidence and accuracy over 15 equal steps of confidence. */
function calibrationError(guesses: Guess[]): number {
  let error = 0;
  for (let bin = 0; bin < 15; bin++) {
    const inside = guesses.filter(({ confidence }) => confidence > bin / 15 && confidence <= (bin + 1) / 15);
    if (inside.length === 0) continue;
    const meant = inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length;
    error += (inside.length / guesses.length) * Math.abs(meant - accuracy(inside));
  }
  return error;
}
