/** Adds missing vectors to a space, batch by batch; each batch is one commit, so a crash costs one batch at most. */
import type { JobContext } from "../../background/background.ts";
import type { Platform } from "../../platform.ts";
import { packVectors } from "../index/pack-vectors.ts";
import { insertVectors } from "../index/store.ts";
import { indexedText } from "../prepare-chunks.ts";
import { embedRemotely } from "./embed-texts.ts";
import { listKept } from "./may-leave.ts";
import { type Payer, recordBatch } from "./record-embedding.ts";
import { isLocal, type Space } from "./space.ts";
import { hasDocument, hasSpace, listMissing, listTexts, type MissingBatch, updateDimensions } from "./store.ts";

const REMOTE_TIMEOUT_MS = 60_000;
const BATCHES_AT_ONCE = 8;

type Filling = {
  space: Space;
  /** Only this one; otherwise all searchable ones. */
  document?: { number: number; projectId: string };
  /** Whoever pays a remote embedder, also for a batch that failed after a part of it. */
  payer: Payer;
  context: JobContext;
};

const packedVectors = async (
  platform: Platform,
  { space, payer, context }: Filling,
  batch: MissingBatch,
  texts: string[],
): Promise<{ packed: Uint8Array; dimensions: number }> => {
  if (isLocal(space)) return { packed: await platform.documents.ingest.embed(texts), dimensions: space.dimensions! };
  const { vectors, embedded } = await embedRemotely(platform, space, texts, {
    timeoutMs: REMOTE_TIMEOUT_MS,
    signal: context.signal,
    onPaidInVain: (lost) => recordBatch(platform, payer, batch, lost),
  });
  await recordBatch(platform, payer, batch, embedded);
  const dimensions = space.dimensions ?? Math.max(...vectors.map(({ length }) => length));
  if (vectors.some(({ length }) => length !== 0 && length !== dimensions)) {
    throw new Error(`The embedding model ${space.model} changed its dimensions from ${dimensions}.`);
  }
  const whole = vectors.map((vector) => (vector.length === 0 ? new Float32Array(dimensions) : vector));
  return { packed: packVectors(whole, dimensions), dimensions };
};

const fillBatch = async (platform: Platform, filling: Filling, batch: MissingBatch): Promise<void> => {
  const { db, documents } = platform;
  const { space } = filling;
  const texts = listTexts(db, batch).map((text) => indexedText(text.filename, text));
  // The document was deleted meanwhile.
  if (texts.length !== batch.count) return;
  const { packed, dimensions } = await packedVectors(platform, filling, batch, texts);
  await db.write((sql) => {
    if (!hasSpace(sql, space.id)) throw new Error("The embedding space was given up while it was being filled.");
    if (!hasDocument(sql, batch.documentNumber)) return;
    updateDimensions(sql, space.id, dimensions);
    insertVectors(sql, space.id, batch.documentNumber, batch.firstIndex, packed);
  });
  await documents.giveWay(packed.byteLength);
  space.dimensions ??= dimensions;
};

/** Throws the embedder's errors. */
export const fillSpace = async (platform: Platform, filling: Filling): Promise<void> => {
  const { space, document, context } = filling;
  for (;;) {
    const kept = await listKept(platform, space, document?.projectId);
    const missing = listMissing(platform.db, space, kept, document?.number, BATCHES_AT_ONCE);
    for (const batch of missing) {
      await context.heartbeat();
      await fillBatch(platform, filling, batch);
    }
    if (missing.length < BATCHES_AT_ONCE) return;
  }
};
