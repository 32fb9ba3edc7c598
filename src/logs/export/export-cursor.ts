/** One export, piece by piece: rows in, bytes of the wanted format out. Remembers only where it stands. */

import type { ExportFormat } from "../../limits/tiers.ts";
import type { LogFilter } from "../filter.ts";
import { pieceStatement, type StoredCall } from "../search-store.ts";
import { toWireEntry } from "../to-wire.ts";
import { CSV_HEADER, toCsvLine } from "./format-csv.ts";
import { createParquetExport, ROWS_A_GROUP } from "./write-parquet.ts";

export type ExportOrder = { projectId: string; filter: LogFilter; order: "asc" | "desc"; format: ExportFormat };
type Read = (sql: string, params: any[]) => StoredCall[];

const ROWS_A_PIECE = 500;
/** Rows are packed, and may hold megabytes each: their text is made as it is asked for. */
const CHARACTERS_A_PIECE = 1_000_000;

/** Returns the next bytes on each call, and undefined after the last. */
export const createExportCursor = (read: Read, order: ExportOrder): (() => Uint8Array | undefined) => {
  let after: { startedAtMs: number; seq: number } | undefined;
  let isDone = false;
  const nextRows = (): StoredCall[] => {
    if (isDone) return [];
    const { text, params } = pieceStatement(order.projectId, order.filter, order.order, ROWS_A_PIECE, after);
    const rows = read(text, params);
    const last = rows.at(-1);
    if (last !== undefined) after = { startedAtMs: last.started_at, seq: last.seq };
    isDone = rows.length < ROWS_A_PIECE;
    return rows;
  };
  return order.format === "parquet" ? parquetPieces(nextRows) : textPieces(nextRows, order.format);
};

const TEXTS: Record<
  Exclude<ExportFormat, "parquet">,
  { head: string; tail: string; row: (call: StoredCall, isFirst: boolean) => string }
> = {
  json: { head: "[", tail: "]", row: (call, isFirst) => `${isFirst ? "" : ","}\n${JSON.stringify(toWireEntry(call))}` },
  jsonl: { head: "", tail: "", row: (call) => `${JSON.stringify(toWireEntry(call))}\n` },
  csv: { head: CSV_HEADER, tail: "", row: (call) => toCsvLine(toWireEntry(call)) },
};

const textPieces = (nextRows: () => StoredCall[], format: Exclude<ExportFormat, "parquet">) => {
  const { head, tail, row } = TEXTS[format];
  const encoder = new TextEncoder();
  let waiting: StoredCall[] = [];
  let written = 0;
  let ended = false;
  return (): Uint8Array | undefined => {
    if (ended) return undefined;
    if (waiting.length === 0) waiting = nextRows();
    ended = waiting.length === 0;
    let text = written === 0 ? head : "";
    let taken = 0;
    while (taken < waiting.length && text.length < CHARACTERS_A_PIECE) text += row(waiting[taken++]!, written++ === 0);
    waiting = waiting.slice(taken);
    if (ended) text += tail;
    return text === "" ? undefined : encoder.encode(text);
  };
};

const parquetPieces = (nextRows: () => StoredCall[]) => {
  const parquet = createParquetExport();
  let ended = false;
  return (): Uint8Array | undefined => {
    if (ended) return undefined;
    let rows: StoredCall[];
    do {
      rows = nextRows();
      for (const call of rows) parquet.add(toWireEntry(call));
    } while (rows.length === ROWS_A_PIECE && parquet.rows() < ROWS_A_GROUP);
    const group = parquet.takeGroup();
    if (rows.length === ROWS_A_PIECE) return group;
    ended = true;
    return new Uint8Array(Buffer.concat([group, parquet.finish()]));
  };
};
