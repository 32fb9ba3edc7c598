/** Log entries as JSON, as lines of JSON, or as CSV. */

import type { ExportFormat } from "../../limits/tiers.ts";
import type { LogEntry } from "../wire.ts";
import { CSV_HEADER, toCsvLine } from "./format-csv.ts";
import type { Pieces } from "./pieces.ts";

type TextFormat = Exclude<ExportFormat, "parquet">;

/** At most this much text, plus one call, is held at once. */
const CHARACTERS_A_PIECE = 1_000_000;

const TEXTS: Record<TextFormat, { head: string; tail: string; row: (entry: LogEntry, isFirst: boolean) => string }> = {
  json: { head: "[", tail: "]", row: (entry, isFirst) => `${isFirst ? "" : ","}\n${JSON.stringify(entry)}` },
  jsonl: { head: "", tail: "", row: (entry) => `${JSON.stringify(entry)}\n` },
  csv: { head: CSV_HEADER, tail: "", row: toCsvLine },
};

/** The byte order mark. Without it Excel takes a CSV for the encoding of its country. */
const BOM = "\uFEFF";

export const textPieces = (format: TextFormat, hasBom = false): Pieces => {
  const { head, tail, row } = TEXTS[format];
  const encoder = new TextEncoder();
  let text = format === "csv" && hasBom ? BOM + head : head;
  let isFirst = true;
  return {
    add: (entry) => {
      text += row(entry, isFirst);
      isFirst = false;
    },
    isFull: () => text.length >= CHARACTERS_A_PIECE,
    take: (isLast) => {
      const bytes = encoder.encode(isLast ? text + tail : text);
      text = "";
      return bytes;
    },
  };
};
