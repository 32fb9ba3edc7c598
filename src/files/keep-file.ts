/** Stores generated media for a while, with signed links that need no key and expire with the file (decisions §9). */

import { createHmac } from "node:crypto";
import type { Caller } from "../accounts/authenticate.ts";
import type { Db } from "../database/database.ts";
import { inSteps } from "../database/in-steps.ts";
import { DAY_MS, HOUR_MS } from "../lib/clock.ts";
import { sameText } from "../lib/digest.ts";
import { newId } from "../lib/ids.ts";
import type { Platform } from "../platform.ts";
import { deleteSomeExpiredFiles, insertFile, type StoredFile, signingSecret } from "./store.ts";

export const IMAGE_LIFETIME_MS = HOUR_MS;
export const MEDIA_LIFETIME_MS = DAY_MS;

type FileToKeep = {
  projectId: string;
  userId?: string | undefined;
  mediaType: string;
  /** Without path or dots: `image`, `video`. */
  label: string;
  extension: string;
  bytes: Uint8Array;
  lifetimeMs: number;
};

export const keepFile = async (platform: Platform, file: FileToKeep): Promise<StoredFile> => {
  const now = platform.clock.now();
  const id = newId("file");
  const stored: StoredFile = {
    id,
    mediaType: file.mediaType,
    name: `${file.label}-${id.slice(-8)}.${file.extension}`,
    sizeBytes: file.bytes.length,
    // Links contain whole seconds.
    expiresAtMs: Math.ceil((now + file.lifetimeMs) / 1000) * 1000,
  };
  await insertFile(platform.db, { ...stored, projectId: file.projectId, userId: file.userId, createdAtMs: now }, file.bytes);
  return stored;
};

/** The same for a caller, who gets the link. */
export const keepForCaller = async (
  platform: Platform,
  { project, origin, userId }: Pick<Caller, "project" | "origin" | "userId">,
  file: Omit<FileToKeep, "projectId">,
): Promise<string> =>
  fileUrl(platform.db, origin, await keepFile(platform, { ...file, projectId: project.id, userId: file.userId ?? userId }));

/** Absolute; `origin`: the address by which the caller reaches this server. */
export const fileUrl = (db: Db, origin: string, file: Pick<StoredFile, "id" | "expiresAtMs">): string => {
  const expires = String(Math.floor(file.expiresAtMs / 1000));
  return `${origin}/v1/files/${file.id}?expires=${expires}&signature=${sign(db, file.id, expires)}`;
};

/** `expires` and `signature` exactly as in the link. */
export const isSigned = (db: Db, id: string, expires: string, signature: string): boolean =>
  sameText(signature, sign(db, id, expires));

const sign = (db: Db, id: string, expires: string): string =>
  createHmac("sha256", signingSecret(db)).update(`${id}.${expires}`).digest("base64url");

/** Deletes what has expired; it stops early if `isOver`. */
export const sweepFiles = ({ db, clock }: Platform, isOver?: () => boolean): Promise<void> =>
  inSteps(db, () => deleteSomeExpiredFiles(db, clock.now()), isOver);
