/** The whole schema of a file as text, in an order that does not depend on how it came about. */

import type { Database } from "bun:sqlite";

export const schemaText = (database: Database): string => {
  const rows = database
    .query(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY tbl_name, type DESC, name",
    )
    .all() as { sql: string }[];
  return `${rows.map(({ sql }) => `${sql.trim()};`).join("\n\n")}\n`;
};
