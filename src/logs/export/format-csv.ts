/** CSV by RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe instead (safety-notes T13). */

import type { LogEntry } from "../wire.ts";
import { COLUMNS } from "./columns.ts";

export const CSV_HEADER = `${COLUMNS.map(({ name }) => name).join(",")}\r\n`;

export const toCsvLine = (entry: LogEntry): string => `${COLUMNS.map((column) => cell(column.read(entry))).join(",")}\r\n`;

/** Also full-width characters, which some spreadsheets treat alike. */
const FORMULA_START = /^[=+\-@＝＋－＠\t\r\n]/;

const cell = (value: unknown): string => {
  if (value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
