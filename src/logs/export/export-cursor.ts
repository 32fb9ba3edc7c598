/** Produces an export piece by piece: reads calls, returns bytes in the requested format. Keeps only its position. */

import type { Database as Connection } from "bun:sqlite";
import type { Value } from "../../database/database.ts";
import type { ExportFormat } from "../../limits/tiers.ts";
import type { LogFilter } from "../list/filter.ts";
import { textMatcher } from "../list/find-text.ts";
import { callOfSeq, type Place, placesStatement } from "../read-store.ts";
import { toWireEntry } from "../to-wire.ts";
import type { LogEntry } from "../wire.ts";
import { CSV_HEADER, toCsvLine } from "./format-csv.ts";
import { createParquetExport, ROWS_A_GROUP } from "./write-parquet.ts";

export type ExportOrder = { filter: LogFilter; search?: string | undefined; order: "asc" | "desc"; format: ExportFormat };

const PLACES_AT_ONCE = 500;
/** Calls may hold megabytes each, so at most this much text, plus one call, is held at once. */
const CHARACTERS_A_PIECE = 1_000_000;
const CHARACTERS_A_GROUP = 16_000_000;

/** At most so many calls are read for one piece, which is empty if a search finds none of them. */
const CALLS_A_PIECE = 5_000;

/** Returns the next bytes on each call, and undefined after the last. */
export const createExportCursor = (connection: Connection, order: ExportOrder): (() => Uint8Array | undefined) => {
  const calls = callsOf(connection, order);
  return order.format === "parquet" ? parquetPieces(calls) : textPieces(calls, order.format);
};

/** Yields undefined in place of a call that the search does not find. */
type Calls = Generator<LogEntry | undefined, undefined>;

function* callsOf(connection: Connection, { filter, search, order }: ExportOrder): Calls {
  const matches = search === undefined ? () => true : textMatcher(search);
  let places: Place[] = [];
  do {
    const { text, params } = placesStatement(filter, order, PLACES_AT_ONCE, places.at(-1));
    places = connection.query<Place, Value[]>(text).all(...params);
    for (const { seq } of places) {
      const call = callOfSeq(connection, seq, filter.projectId);
      // Deleted meanwhile.
      if (call === null) continue;
      const entry = toWireEntry(call);
      yield matches(entry.prompt.text, entry.output.text, entry.metadata.custom) ? entry : undefined;
    }
  } while (places.length === PLACES_AT_ONCE);
}

const TEXTS: Record<
  Exclude<ExportFormat, "parquet">,
  { head: string; tail: string; row: (entry: LogEntry, isFirst: boolean) => string }
> = {
  json: { head: "[", tail: "]", row: (entry, isFirst) => `${isFirst ? "" : ","}\n${JSON.stringify(entry)}` },
  jsonl: { head: "", tail: "", row: (entry) => `${JSON.stringify(entry)}\n` },
  csv: { head: CSV_HEADER, tail: "", row: toCsvLine },
};

const textPieces = (calls: Calls, format: Exclude<ExportFormat, "parquet">) => {
  const { head, tail, row } = TEXTS[format];
  const encoder = new TextEncoder();
  let begun = false;
  let isFirst = true;
  let ended = false;
  return (): Uint8Array | undefined => {
    if (ended) return undefined;
    let text = begun ? "" : head;
    begun = true;
    for (let read = 0; !ended && read < CALLS_A_PIECE && text.length < CHARACTERS_A_PIECE; read++) {
      const { value: entry, done } = calls.next();
      ended = done === true;
      if (entry === undefined) continue;
      text += row(entry, isFirst);
      isFirst = false;
    }
    return encoder.encode(ended ? text + tail : text);
  };
};

const parquetPieces = (calls: Calls) => {
  const parquet = createParquetExport();
  let characters = 0;
  let ended = false;
  const isFull = () => parquet.rows() >= ROWS_A_GROUP || characters >= CHARACTERS_A_GROUP;
  return (): Uint8Array | undefined => {
    if (ended) return undefined;
    for (let read = 0; !ended && read < CALLS_A_PIECE && !isFull(); read++) {
      const { value: entry, done } = calls.next();
      ended = done === true;
      if (entry === undefined) continue;
      characters += (entry.prompt.text?.length ?? 0) + (entry.output.text?.length ?? 0);
      parquet.add(entry);
    }
    if (!ended && !isFull()) return new Uint8Array();
    characters = 0;
    const group = parquet.takeGroup();
    return ended ? new Uint8Array(Buffer.concat([group, parquet.finish()])) : group;
  };
};
