/** `bun run test/database/write-schema.ts`, after a migration was added: writes schema.sql. Read the difference before you commit it. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { MIGRATIONS } from "../../src/database/migrations/index.ts";
import { schemaText } from "./schema-text.ts";

const database = new Database(":memory:");
for (const { sql } of MIGRATIONS) database.run(sql);
await Bun.write(join(import.meta.dir, "schema.sql"), schemaText(database));
