/** Adds what was filled into a PDF's form or typed over its pages, which is not part of their text, after the text to its left. */
import { asBuffer } from "../../lib/as-buffer.ts";
import { isBlank, type TextItem, xOf, yOf } from "./text-item.ts";

/** The parts of a pdf.js annotation that matter here. */
export type Annotation = {
  subtype?: string;
  fieldType?: string;
  fieldValue?: unknown;
  /** What a list shows for each of its values. */
  options?: { exportValue: string; displayValue: string }[];
  /** The lines that the field shows. */
  textContent?: string[];
  contentsObj?: { str: string };
  annotationFlags?: number;
  rect?: number[];
  password?: boolean;
};

const TYPED = "FreeText";
/** Flags of an annotation: Hidden and NoView. */
const UNSEEN = 2 | 32;

/** Whether the file may hold text typed over its pages. Judged by the bytes; compressed objects may hold anything. */
export const mayHoldTyped = (pdf: Uint8Array): boolean => {
  const bytes = asBuffer(pdf);
  return bytes.includes(`/${TYPED}`) || bytes.includes("/ObjStm");
};

const WRITTEN = new Set(["Tx", "Ch"]);

const writtenIn = (annotation: Annotation): string => {
  const { subtype, fieldType, fieldValue, textContent = [], contentsObj, annotationFlags = 0, password } = annotation;
  if (subtype === TYPED) return (annotationFlags & UNSEEN) === 0 ? (contentsObj?.str ?? "").trim() : "";
  if (subtype !== "Widget" || password || !WRITTEN.has(fieldType ?? "")) return "";
  const value = (Array.isArray(fieldValue) ? fieldValue : [fieldValue])
    .filter((value): value is string => typeof value === "string")
    .map((value) => annotation.options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value)
    .join(", ")
    .trim();
  // pdf.js does not read long values, which are streams.
  return value === "" && fieldType === "Tx" && (annotationFlags & UNSEEN) === 0 ? textContent.join("\n").trim() : value;
};

/** Index of the item to insert after: the last one to the left of the field on its line, else the last of the page. */
const indexBefore = (items: readonly TextItem[], [left = 0, bottom = 0, , top = 0]: number[]): number => {
  const before = items.findLastIndex(
    (item) => !isBlank(item) && yOf(item) >= bottom - 1 && yOf(item) <= top && xOf(item) <= left,
  );
  return before < 0 ? items.length - 1 : before;
};

export const withFilledIn = (items: readonly TextItem[], annotations: readonly Annotation[]): TextItem[] => {
  const all = [...items];
  for (const annotation of annotations) {
    const value = writtenIn(annotation);
    const rect = annotation.rect ?? [];
    if (value === "") continue;
    const at = indexBefore(all, rect);
    const label = all[at];
    const endsLine = label?.hasEOL ?? true;
    if (label !== undefined) all[at] = { ...label, hasEOL: false };
    const transform = label?.transform ?? [1, 0, 0, 1, rect[0] ?? 0, rect[1] ?? 0];
    all.splice(at + 1, 0, {
      str: label === undefined ? value : ` ${value}`,
      hasEOL: endsLine,
      height: label?.height ?? 0,
      transform,
    });
  }
  return all;
};
