/** A piece of text that pdf.js finds on a page, as it hands it over: where it stands, how high it is, and which way it is read. */
export type TextItem = { str: string; hasEOL: boolean; height: number; width?: number; transform: number[]; dir?: string };
