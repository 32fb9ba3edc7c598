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

export const isBlank = ({ str }: TextItem): boolean => str.trim() === "";
