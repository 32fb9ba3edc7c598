/** Produces an export piece by piece: reads calls, returns bytes in the requested format. Keeps only its position. */

import type { Database as Connection } from "bun:sqlite";
import type { Value } from "../../database/database.ts";
import type { ExportFormat } from "../../limits/tiers.ts";
import type { LogFilter } from "../list/filter.ts";
import { textMatcher } from "../list/find-text.ts";
import { callOfSeq, type Place, placesStatement } from "../read-store.ts";
import { toWireEntry } from "../to-wire.ts";
import type { LogEntry } from "../wire.ts";
import { parquetPieces } from "./parquet-pieces.ts";
import { textPieces } from "./text-pieces.ts";

export type ExportOrder = {
  filter: LogFilter;
  search?: string | undefined;
  order: "asc" | "desc";
  format: ExportFormat;
  bom?: boolean | undefined;
};

const PLACES_AT_ONCE = 500;
/** At most so many calls are read for one piece, which is empty if a search finds none of them. */
const CALLS_A_PIECE = 5_000;

/** Returns the next bytes on each call, and undefined after the last. */
export const createExportCursor = (connection: Connection, order: ExportOrder): (() => Uint8Array | undefined) => {
  const calls = callsOf(connection, order);
  const pieces = order.format === "parquet" ? parquetPieces() : textPieces(order.format, order.bom);
  let ended = false;
  return () => {
    if (ended) return undefined;
    for (let read = 0; !ended && read < CALLS_A_PIECE && !pieces.isFull(); read++) {
      const { value: entry, done } = calls.next();
      ended = done === true;
      if (entry !== undefined) pieces.add(entry);
    }
    return pieces.take(ended);
  };
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
