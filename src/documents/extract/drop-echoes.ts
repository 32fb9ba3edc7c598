/** Removes text that is painted twice in the same place. */
import { isBlank, type TextItem, xOf, yOf } from "./text-item.ts";

/** Simulated bold type and shadows are drawn twice, at most this many text heights apart; such text is read once. */
const SAME_PLACE = 0.15;

export const withoutEchoes = (items: readonly TextItem[]): TextItem[] => {
  let last: TextItem | undefined;
  return items.map((item) => {
    if (isBlank(item)) return item;
    if (last !== undefined && item.str === last.str && isAt(item, last)) return { ...item, str: "" };
    last = item;
    return item;
  });
};

const isAt = (one: TextItem, other: TextItem): boolean =>
  one.height > 0 &&
  Math.abs(xOf(one) - xOf(other)) < SAME_PLACE * one.height &&
  Math.abs(yOf(one) - yOf(other)) < SAME_PLACE * one.height;
