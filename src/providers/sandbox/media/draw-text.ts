/** Draws text in capital letters of 3 × 5 dots into rows of pixels. Characters without a glyph become spaces. */

import { ownValue } from "../../../lib/own-value.ts";

const COLUMNS = 3;
const LINES = 5;

// Each glyph is five rows of three bits, from the top.
// biome-ignore format: a table
const GLYPHS: Record<string, readonly number[]> = {
  A: [2,5,7,5,5], B: [6,5,6,5,6], C: [3,4,4,4,3], D: [6,5,5,5,6], E: [7,4,6,4,7], F: [7,4,6,4,4], G: [3,4,5,5,3], H: [5,5,7,5,5],
  I: [7,2,2,2,7], J: [1,1,1,5,2], K: [5,5,6,5,5], L: [4,4,4,4,7], M: [5,7,7,5,5], N: [6,5,5,5,5], O: [2,5,5,5,2], P: [6,5,6,4,4],
  Q: [2,5,5,6,3], R: [6,5,6,5,5], S: [3,4,2,1,6], T: [7,2,2,2,2], U: [5,5,5,5,7], V: [5,5,5,5,2], W: [5,5,7,7,5], X: [5,5,2,5,5],
  Y: [5,5,2,2,2], Z: [7,1,2,4,7], 0: [7,5,5,5,7], 1: [2,6,2,2,7], 2: [6,1,2,4,7], 3: [6,1,2,1,6], 4: [5,5,7,1,1], 5: [7,4,6,1,6],
  6: [3,4,7,5,7], 7: [7,1,2,2,2], 8: [7,5,7,5,7], 9: [7,5,7,1,6], "-": [0,0,7,0,0], ".": [0,0,0,0,2], "!": [2,2,2,0,2], "?": [6,1,2,0,2],
};

const MOST_CHARACTERS = 24;

/** `rows`: those of a PNG of that size, each a filter byte and a byte for each pixel. */
export const drawText = (rows: Uint8Array, width: number, height: number, text: string, colour: number): void => {
  const shown = [...text.toUpperCase()].slice(0, MOST_CHARACTERS);
  const dot = Math.max(1, Math.floor(width / ((COLUMNS + 1) * (MOST_CHARACTERS + 2))));
  const top = Math.floor((height - LINES * dot) / 2);
  const fillDot = (x: number, y: number): void => {
    for (let row = y; row < y + dot; row++) rows.fill(colour, row * (1 + width) + 1 + x, row * (1 + width) + 1 + x + dot);
  };
  let left = Math.floor((width - shown.length * (COLUMNS + 1) * dot) / 2);
  for (const character of shown) {
    const glyph = ownValue(GLYPHS, character) ?? [];
    glyph.forEach((bits, line) => {
      for (let column = 0; column < COLUMNS; column++)
        if ((bits >> (COLUMNS - 1 - column)) & 1) fillDot(left + column * dot, top + line * dot);
    });
    left += (COLUMNS + 1) * dot;
  }
};
