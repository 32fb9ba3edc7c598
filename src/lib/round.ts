/** Shares and scores as answers show them: to four decimals. */

export const toFourDecimals = (value: number): number => Math.round(value * 10_000) / 10_000;
