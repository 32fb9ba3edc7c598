/** The leaves of a log entry, as the columns of CSV and Parquet (decisions §11: one column per leaf with dotted names). */

import type { TSchema } from "@sinclair/typebox";
import { LogEntry } from "../wire.ts";

type ColumnType = "STRING" | "DOUBLE" | "INT32" | "INT64" | "BOOLEAN" | "TIMESTAMP" | "JSON";

const TYPE_OF_FORMAT: Record<string, ColumnType> = { "date-time": "TIMESTAMP", int32: "INT32" };
const TYPE_OF_TYPE: Record<string, ColumnType> = { number: "DOUBLE", integer: "INT64", boolean: "BOOLEAN", object: "JSON" };

/** Of a value that may be null, its type otherwise. Words out of a list are text. */
const columnTypeOf = (schema: TSchema): ColumnType => {
  const { format, type } = schema["anyOf"]?.[0] ?? schema;
  return TYPE_OF_FORMAT[format] ?? TYPE_OF_TYPE[type] ?? "STRING";
};

export type Column = { name: string; type: ColumnType; read(entry: LogEntry): unknown };

export const COLUMNS: readonly Column[] = Object.entries<TSchema>(LogEntry.properties).flatMap(([group, schema]): Column[] =>
  schema["properties"] === undefined
    ? [{ name: group, type: columnTypeOf(schema), read: (entry) => entry[group as keyof LogEntry] }]
    : Object.entries<TSchema>(schema["properties"]).map(([leaf, of]) => ({
        name: `${group}.${leaf}`,
        type: columnTypeOf(of),
        read: (entry) => (entry[group as keyof LogEntry] as Record<string, unknown>)[leaf],
      })),
);
