/** The choice of a vendor that is nearest to what was requested: vendors have fixed aspect ratios and durations. */

/** `choices`: such as `16:9` or `16x9`. Compared on a logarithmic scale, on which 2:1 and 1:2 are equally far from 1:1. */
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

/** The shortest choice that is not shorter than requested, or the longest; `choices` in ascending order. */
export const nearestDuration = (seconds: number, choices: readonly number[]): number =>
  choices.find((choice) => choice >= seconds) ?? choices[choices.length - 1]!;
