/**
 * Stores an upload and starts its job in one commit, so that an upload answered with 201 is never lost. The tier's limits are checked in
 * it, too.
 */
import type { Caller } from "../../accounts/authenticate.ts";
import { limitExceeded } from "../../api-error.ts";
import type { Sql } from "../../database/database.ts";
import { newId } from "../../lib/ids.ts";
import { requireFeature } from "../../limits/require-tier.ts";
import { TIER_LIMITS, type Tier } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import { deleteFile, insertFilePart } from "../content-store.ts";
import type { Document } from "../document.ts";
import { priceOf } from "../embedding/embed-texts.ts";
import { mayLeave } from "../embedding/may-leave.ts";
import { liveSpace } from "../embedding/store.ts";
import { INGEST, type IngestPayload } from "../ingest/ingest-document.ts";
import { findDocument, insertDocument, readHoldings } from "../store.ts";
import type { Upload } from "./read-upload.ts";

/** Writing a part takes about a millisecond, and may share its commit with a batch of chunks and a merge step. */
const PART_BYTES = 524_288;

/** Throws 403 `limit_exceeded` if the upload would exceed what the tier holds. */
const requireRoom = (sql: Pick<Sql, "get">, projectId: string, tier: Tier, upload: Upload): void => {
  requireFeature({ tier }, "Documents");
  const limits = TIER_LIMITS[tier].documents!;
  const held = readHoldings(sql, projectId, upload.collectionId);
  if (held.documents >= limits.count) throw limitExceeded("documents", limits.count, held.documents);
  if (held.bytes + upload.bytes.byteLength > limits.bytes) throw limitExceeded("bytes of documents", limits.bytes, held.bytes);
  if (upload.collectionId !== null && !held.hasCollection && held.collections >= limits.collections)
    throw limitExceeded("collections", limits.collections, held.collections);
};

const storeFile = async ({ db, documents }: Platform, documentId: string, bytes: Uint8Array): Promise<void> => {
  for (let part = 0; part * PART_BYTES < bytes.byteLength; part++) {
    const some = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
    await db.write((sql) => insertFilePart(sql, documentId, part, some));
    await documents.giveWay(some.byteLength);
  }
};

/** A remote embedder is paid for later, at a price that is not known yet: nobody whose budget is spent may begin it. */
const requireBudget = async (platform: Platform, caller: Caller): Promise<void> => {
  const space = liveSpace(platform.db);
  if (caller.mode === "live" && priceOf(platform, space) > 0 && (await mayLeave(platform, space, caller.project.id)))
    platform.budgets.reserve(caller, 1).release();
};

/** Throws 403: `insufficient_tier` if the tier has no documents, `limit_exceeded` if it holds no more; 429 `budget_exceeded`. */
export const acceptDocument = async (platform: Platform, caller: Caller, upload: Upload): Promise<Document> => {
  const { db, background, clock } = platform;
  const { id: projectId, tier } = caller.project;
  const id = newId("doc");
  // Checked before megabytes are written; decided in the commit below.
  requireRoom(db, projectId, tier, upload);
  await requireBudget(platform, caller);
  try {
    await storeFile(platform, id, upload.bytes);
    const document = await db.write((sql) => {
      requireRoom(sql, projectId, tier, upload);
      const { bytes, ...about } = upload;
      const sizeBytes = bytes.byteLength;
      const stored = insertDocument(sql, { ...about, id, projectId, sizeBytes, mode: caller.mode, createdAtMs: clock.now() });
      const payload: IngestPayload = { projectId, documentId: id, payer: { id: caller.key.id, logHash: caller.key.logHash } };
      background.enqueue(sql, { kind: INGEST, projectId, payload });
      return stored;
    });
    background.wake();
    return document;
  } catch (error) {
    // A commit whose sync failed may still be in the file: then the document exists and keeps its parts.
    if (findDocument(db, projectId, id) === undefined) await db.write((sql) => deleteFile(sql, id));
    throw error;
  }
};
