/** Generated files in the database, in pieces, with their time of deletion. */

import type { Db } from "../database/database.ts";

export const PIECE_BYTES = 1_048_576;

export type StoredFile = { id: string; mediaType: string; name: string; sizeBytes: number; expiresAtMs: number };
type NewFile = StoredFile & { projectId: string; userId?: string | undefined; createdAtMs: number };

/** Writes each piece separately, so that a large video does not block the writer. Incomplete files left by a crash expire like the rest. */
export const insertFile = async (db: Db, file: NewFile, bytes: Uint8Array): Promise<void> => {
  await db.write((sql) =>
    sql.insert("files", {
      id: file.id,
      project_id: file.projectId,
      user_id: file.userId ?? null,
      media_type: file.mediaType,
      name: file.name,
      size_bytes: file.sizeBytes,
      created_at: file.createdAtMs,
      expires_at: file.expiresAtMs,
    }),
  );
  try {
    for (let number = 0; number * PIECE_BYTES < bytes.length; number++) {
      const piece = bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES);
      await db.write((sql) => sql.insert("file_pieces", { file_id: file.id, number, bytes: piece }));
    }
  } catch (error) {
    // On a full disk, the space that the first pieces take is needed.
    await db.write((sql) => sql.run("DELETE FROM files WHERE id = ?", file.id));
    throw error;
  }
};

/** A signed URL is the permission; it names the file, not a project. */
export const findFile = async (db: Db, id: string): Promise<StoredFile | undefined> =>
  db.get<StoredFile>(
    "SELECT id, media_type AS mediaType, name, size_bytes AS sizeBytes, expires_at AS expiresAtMs FROM files WHERE id = ?",
    id,
  );

export const findPiece = (db: Db, id: string, number: number): Uint8Array | undefined =>
  db.get<{ bytes: Uint8Array }>("SELECT bytes FROM file_pieces WHERE file_id = ? AND number = ?", id, number)?.bytes;

export const signingSecret = (db: Db): Uint8Array =>
  db.get<{ secret: Uint8Array }>("SELECT secret FROM file_signing_key")!.secret;

const FILES_AT_ONCE = 20;
const BYTES_AT_ONCE = 2 * PIECE_BYTES;

/** Deletes some expired files, and of a large one some pieces, so that no commit is long. False if there were none. */
export const deleteSomeExpiredFiles = (db: Db, now: number): Promise<boolean> =>
  db.write((sql) => {
    const expired = sql.all<{ id: string; sizeBytes: number }>(
      "SELECT id, size_bytes AS sizeBytes FROM files WHERE expires_at <= ? LIMIT ?",
      now,
      FILES_AT_ONCE,
    );
    let room = BYTES_AT_ONCE;
    for (const { id, sizeBytes } of expired) {
      const { changes: pieces } = sql.run(
        "DELETE FROM file_pieces WHERE rowid IN (SELECT rowid FROM file_pieces WHERE file_id = ? LIMIT ?)",
        id,
        Math.ceil(room / PIECE_BYTES),
      );
      room -= Math.min(sizeBytes, pieces * PIECE_BYTES);
      if (room <= 0) break;
      sql.run("DELETE FROM files WHERE id = ?", id);
    }
    return expired.length > 0;
  });

/**
 * Has the files of a user, or of a whole project, expire at once, and deletes the video jobs: their prompts are the user's too, and those
 * under way are no longer followed.
 */
export const endMediaOf = (db: Db, projectId: string, userId?: string): Promise<void> =>
  db.write((sql) => {
    const [owner, ...params] =
      userId === undefined ? ["project_id = ?", projectId] : ["project_id = ? AND user_id = ?", projectId, userId];
    sql.run(`UPDATE files SET expires_at = 0 WHERE ${owner} AND expires_at > 0`, ...params);
    sql.run(`DELETE FROM video_jobs WHERE ${owner}`, ...params);
  });
