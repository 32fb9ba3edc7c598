/** Log entries as Parquet in row groups: gathered rows become one group, whose bytes leave at once; only the footer's index grows. */

import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { LogEntry } from "../wire.ts";
import { COLUMNS, type Column } from "./columns.ts";
import type { Pieces } from "./pieces.ts";

const ROWS_A_GROUP = 5_000;
const CHARACTERS_A_GROUP = 16_000_000;

export const parquetPieces = (): Pieces => {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: SCHEMA, createdBy: "signalbox" });
  let columns = emptyColumns();
  let rows = 0;
  let characters = 0;
  const isFull = () => rows >= ROWS_A_GROUP || characters >= CHARACTERS_A_GROUP;
  const writeGroup = (): void => {
    void parquet.write({ columnData: columnData(columns), rowGroupSize: rows });
    columns = emptyColumns();
    rows = 0;
    characters = 0;
  };
  return {
    add: (entry) => {
      for (const [index, column] of COLUMNS.entries()) columns[index]!.push(cellOf(column, entry));
      rows++;
      characters += (entry.prompt.text?.length ?? 0) + (entry.output.text?.length ?? 0);
    },
    isFull,
    take: (isLast) => {
      if (rows > 0 && (isLast || isFull())) writeGroup();
      if (isLast) void parquet.finish();
      const bytes = new Uint8Array(writer.buffer, 0, writer.index).slice();
      // `offset` keeps counting from the start of the file; only the buffer is emptied.
      writer.index = 0;
      return bytes;
    },
  };
};

const emptyColumns = (): unknown[][] => COLUMNS.map(() => []);

/** The writer keeps the least and the greatest value of each group until the end; of texts that would be whole prompts. */
const hasBounds = ({ type }: Column): boolean => type !== "STRING" && type !== "JSON";

const columnData = (columns: unknown[][]) =>
  COLUMNS.map((column, index) => ({
    name: column.name,
    data: columns[index]!,
    type: column.type,
    nullable: true,
    statistics: hasBounds(column),
  }));

const SCHEMA = schemaFromColumnData({ columnData: columnData(emptyColumns()) });

const cellOf = ({ type, read }: Column, entry: LogEntry): unknown => {
  const value = read(entry);
  if (value === null || value === undefined) return null;
  if (type === "TIMESTAMP") return new Date(value as string);
  return type === "INT64" ? BigInt(value as number) : value;
};
