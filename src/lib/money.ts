/** Converts between integer nano-USD, used inside, and USD, used on the wire. */

const NANO_PER_USD = 1e9;

export const toUsd = (nanoUsd: number): number => nanoUsd / NANO_PER_USD;

export const toNanoUsd = (usd: number): number => Math.round(usd * NANO_PER_USD);

/** A caller's ceiling, rounded down so that it is never exceeded. */
export const ceilingInNanoUsd = (usd: number): number => Math.floor(usd * NANO_PER_USD + 1e-6);

/** For sentences and headers: `0.0125`, to the last billionth, without needless zeros, and never `1e-7`. */
export const usdText = (nanoUsd: number): string =>
  toUsd(nanoUsd)
    .toFixed(9)
    .replace(/\.?0+$/, "");
