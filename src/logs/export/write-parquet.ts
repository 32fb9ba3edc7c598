/** Writes Parquet in row groups: gathered rows become one group, whose bytes are returned at once; only the footer's index grows. */

import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { LogEntry } from "../wire.ts";
import { COLUMNS, type Column } from "./columns.ts";

export const ROWS_A_GROUP = 5_000;

type ParquetExport = {
  add(entry: LogEntry): void;
  rows(): number;
  /** Bytes of the rows added since the last call. */
  takeGroup(): Uint8Array;
  finish(): Uint8Array;
};

export const createParquetExport = (): ParquetExport => {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: SCHEMA, createdBy: "signalbox" });
  let columns = emptyColumns();
  const takeBytes = (): Uint8Array => {
    const bytes = new Uint8Array(writer.buffer, 0, writer.index).slice();
    // `offset` keeps counting from the start of the file; only the buffer is emptied.
    writer.index = 0;
    return bytes;
  };
  return {
    add: (entry) => {
      for (const [index, column] of COLUMNS.entries()) columns[index]!.push(cellOf(column, entry));
    },
    rows: () => columns[0]!.length,
    takeGroup: () => {
      if (columns[0]!.length > 0) {
        void parquet.write({ columnData: columnData(columns), rowGroupSize: columns[0]!.length });
        columns = emptyColumns();
      }
      return takeBytes();
    },
    finish: () => {
      void parquet.finish();
      return takeBytes();
    },
  };
};

const emptyColumns = (): unknown[][] => COLUMNS.map(() => []);

const columnData = (columns: unknown[][]) =>
  COLUMNS.map(({ name, type }, index) => ({ name, data: columns[index]!, type, nullable: true }));

const SCHEMA = schemaFromColumnData({ columnData: columnData(emptyColumns()) });

const cellOf = ({ type, read }: Column, entry: LogEntry): unknown => {
  const value = read(entry);
  if (value === null || value === undefined) return null;
  if (type === "TIMESTAMP") return new Date(value as string);
  return type === "INT64" ? BigInt(value as number) : value;
};
