/** A piece of text that pdf.js finds on a page: where it is, how high it is, and in which direction it is read. */
export type TextItem = {
  str: string;
  hasEOL: boolean;
  height: number;
  width?: number;
  transform: number[];
  dir?: string;
  fontName?: string;
};

/** The item's beginning and its baseline, in points from the page's lower left corner. */
export const xOf = ({ transform }: TextItem): number => transform[4] ?? 0;
export const yOf = ({ transform }: TextItem): number => transform[5] ?? 0;

/** An item by its position along its line and across it. */
export type Place = { item: TextItem; left: number; right: number; base: number };

/** Whichever way the page is rotated. */
export const placeOf = (item: TextItem): Place => {
  const [a = 1, b = 0, , , x = 0, y = 0] = item.transform;
  const length = Math.hypot(a, b) || 1;
  const left = (x * a + y * b) / length;
  return { item, left, right: left + (item.width ?? 0), base: (y * a - x * b) / length };
};

export const isBlank = ({ str }: TextItem): boolean => str.trim() === "";
