/** The accepted kinds of file, by file name or declared type. */

import { ownValue } from "../../lib/own-value.ts";
import type { DocumentType } from "../extract/extract-file.ts";

const TYPE_OF_EXTENSION: Record<string, DocumentType> = {
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
};
const TAKEN = new Set<string>(Object.values(TYPE_OF_EXTENSION));

export const documentTypeOf = (filename: string): DocumentType | undefined => {
  const extension = filename.includes(".") ? filename.split(".").at(-1)!.toLowerCase() : "";
  return ownValue(TYPE_OF_EXTENSION, extension);
};

/** Parameters (`; charset=utf-8`) do not matter. */
export const documentTypeDeclared = (type: string | undefined): DocumentType | undefined => {
  const bare = type?.replace(/;.*$/s, "").trim().toLowerCase();
  if (bare === "text/x-markdown") return "text/markdown";
  return bare !== undefined && TAKEN.has(bare) ? (bare as DocumentType) : undefined;
};
