/** Vendors that take an aspect ratio instead of a size get the nearest one they know. */

/** `choices` like `16:9` or `16x9`; nearest on a logarithmic scale, so that wide and tall err alike. */
export const nearestAspectRatio = <Ratio extends string>(width: number, height: number, choices: readonly Ratio[]): Ratio => {
  const wanted = Math.log(width / height);
  let best = choices[0]!;
  let distance = Number.POSITIVE_INFINITY;
  for (const choice of choices) {
    const [across, down] = choice.split(/[:x]/).map(Number);
    const off = Math.abs(Math.log(across! / down!) - wanted);
    if (off < distance - 1e-9) [best, distance] = [choice, off];
  }
  return best;
};

/** The nearest of the lengths a vendor offers that is not shorter than asked; its longest where all are. */
export const nearestDuration = (seconds: number, choices: readonly number[]): number =>
  choices.find((choice) => choice >= seconds) ?? choices[choices.length - 1]!;
