/** Generated files in the database, in pieces, with their time of deletion. */

import type { Db, Sql } from "../database/database.ts";

export const PIECE_BYTES = 1_048_576;

export type StoredFile = { id: string; mediaType: string; name: string; sizeBytes: number; expiresAtMs: number };
type NewFile = StoredFile & { projectId: string; userId?: string | undefined; createdAtMs: number };

/** Writes each piece separately, so that a large video does not block the writer. Incomplete files left by a crash expire like the rest. */
export const insertFile = async (db: Db, file: NewFile, bytes: Uint8Array): Promise<void> => {
  await db.write((sql) =>
    sql.run(
      "INSERT INTO files (id, project_id, user_id, media_type, name, size_bytes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      file.id,
      file.projectId,
      file.userId ?? null,
      file.mediaType,
      file.name,
      file.sizeBytes,
      file.createdAtMs,
      file.expiresAtMs,
    ),
  );
  try {
    for (let number = 0; number * PIECE_BYTES < bytes.length; number++) {
      const piece = bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES);
      await db.write((sql) =>
        sql.run("INSERT INTO file_pieces (file_id, number, bytes) VALUES (?, ?, ?)", file.id, number, piece),
      );
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

/** Deletes at most `most`; returns how many. */
export const deleteExpiredFiles = (db: Db, now: number, most: number): Promise<number> =>
  db.write(
    (sql) =>
      sql.run("DELETE FROM files WHERE id IN (SELECT id FROM files WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)", now, most)
        .changes,
  );

/** Deletes a user's files and video jobs, whose prompts are the user's too. Running jobs are no longer followed. */
export const deleteMediaOfUser = (sql: Sql, projectId: string, userId: string): void => {
  sql.run("DELETE FROM files WHERE project_id = ? AND user_id = ?", projectId, userId);
  sql.run("DELETE FROM video_jobs WHERE project_id = ? AND user_id = ?", projectId, userId);
};

/** Deletes the project's video jobs, which are no longer followed, and at most `most` files; returns how many files. */
export const deleteSomeMediaOfProject = (db: Db, projectId: string, most: number): Promise<number> =>
  db.write((sql) => {
    sql.run("DELETE FROM video_jobs WHERE project_id = ?", projectId);
    return sql.run("DELETE FROM files WHERE id IN (SELECT id FROM files WHERE project_id = ? LIMIT ?)", projectId, most).changes;
  });
