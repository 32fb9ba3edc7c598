/** A copy of the database for download. It is written beside the database, and its file is unlinked before it is sent. */

import { readdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Platform } from "../platform.ts";

const PIECE_BYTES = 256 * 1024;

const placeOf = (databasePath: string) => ({ folder: dirname(databasePath), prefix: `.${basename(databasePath)}.download-` });

export const downloadCopy = async ({ db, clock }: Platform): Promise<Response> => {
  const { folder, prefix } = placeOf(db.path);
  const path = join(folder, prefix + crypto.randomUUID());
  await db.backup(path);
  const copy = await open(path, "r");
  await rm(path);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { buffer, bytesRead } = await copy.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES);
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
      await copy.close();
      controller.close();
    },
    cancel: () => copy.close(),
  });
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(":", "-");
  return new Response(body, {
    headers: {
      "content-type": "application/vnd.sqlite3",
      "content-disposition": `attachment; filename="signalbox-${stamp}.db"`,
      "cache-control": "no-store",
    },
  });
};

/** Deletes copies left by a process that was killed while making one: they would keep data that is deleted later. */
export const sweepCopies = async ({ db }: Platform): Promise<void> => {
  const { folder, prefix } = placeOf(db.path);
  for (const name of readdirSync(folder)) if (name.startsWith(prefix)) await rm(join(folder, name), { force: true });
};
