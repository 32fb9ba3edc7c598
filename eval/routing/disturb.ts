/** Case, spacing and typing errors as people make them, from a seed: the robustness test of eval:routing. */

type Disturbance = (text: string, seed: number) => string;

/** A small generator of numbers 0-1 (mulberry32), so that runs are repeatable. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** About two letters in a hundred are lost, doubled, swapped or wrong. */
function mistype(text: string, seed: number): string {
  const random = randomFrom(seed);
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!;
    if (!/\p{L}/u.test(letter) || random() > 0.02) {
      out += letter;
      continue;
    }
    const kind = Math.floor(random() * 4);
    if (kind === 1) out += letter + letter;
    if (kind === 2) out += (text[++i] ?? "") + letter;
    if (kind === 3) out += String.fromCharCode(97 + Math.floor(random() * 26));
  }
  return out;
}

export const DISTURBANCES: Record<string, Disturbance> = {
  "lower case": (text) => text.toLowerCase(),
  "upper case": (text) => text.toUpperCase(),
  "double blanks": (text) => text.replaceAll(" ", "  "),
  "trailing blanks and lines": (text) => `\n  ${text.replaceAll("\n", " \n")} \n\n`,
  "typing errors": mistype,
};
