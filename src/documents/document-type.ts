/** The accepted kinds of file. */

import { ownValue } from "../lib/own-value.ts";

/** By extension. */
const TYPES = {
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
} as const;
export type DocumentType = (typeof TYPES)[keyof typeof TYPES];

/** The same in words, for people whose file is of another kind. */
export const ACCEPTED_KINDS = "PDF, plain text (.txt) and Markdown (.md) files";

export const documentTypeOf = (filename: string): DocumentType | undefined => {
  const extension = filename.includes(".") ? filename.split(".").at(-1)!.toLowerCase() : "";
  return ownValue<DocumentType>(TYPES, extension);
};

/** Parameters (`; charset=utf-8`) do not matter. */
export const documentTypeDeclared = (type: string | undefined): DocumentType | undefined => {
  const bare = type?.replace(/;.*$/s, "").trim().toLowerCase();
  return bare === "text/x-markdown" ? "text/markdown" : Object.values(TYPES).find((known) => known === bare);
};

/** Whether it has pages; what is stored of the others are pieces of `CHARACTERS_PER_PAGE`. */
export const hasPages = (type: DocumentType): boolean => type === "application/pdf";
