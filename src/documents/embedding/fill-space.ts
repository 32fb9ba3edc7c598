/** Adds missing vectors to a space, batch by batch; each batch is one commit, so a crash costs one batch at most. */
import type { Catalog } from "../../catalog/catalog.ts";
import type { Db } from "../../database/database.ts";
import type { ActivePoliciesOf } from "../../policies/active-policies.ts";
import type { Providers } from "../../providers/registry.ts";
import type { GiveWay } from "../give-way.ts";
import { packVectors } from "../index/pack-vectors.ts";
import { insertVectors } from "../index/store.ts";
import type { IngestThread } from "../ingest/ingest-thread.ts";
import { indexedText } from "../prepare-chunks.ts";
import { type Embedded, embedRemotely } from "./embed-texts.ts";
import { listKept } from "./may-leave.ts";
import { isLocal, type Space } from "./space.ts";
import { hasDocument, hasSpace, listMissing, listTexts, type MissingBatch, updateDimensions } from "./store.ts";

type FillParts = {
  db: Db;
  policies: ActivePoliciesOf;
  giveWay: GiveWay;
  ingest: IngestThread;
  providers: Providers;
  catalog: Catalog;
};

const REMOTE_TIMEOUT_MS = 60_000;
const BATCHES_AT_ONCE = 8;

type FillOptions = {
  /** Called before each batch. */
  onBatch(): Promise<void>;
  /** Called after each batch that a remote embedder was asked for, also if it failed after a part of it. */
  onPaid(batch: MissingBatch, embedded: Embedded): Promise<void>;
  signal: AbortSignal;
};

const packedVectors = async (
  parts: FillParts,
  space: Space,
  batch: MissingBatch,
  texts: string[],
  { onPaid, signal }: FillOptions,
): Promise<{ packed: Uint8Array; dimensions: number }> => {
  if (isLocal(space)) return { packed: await parts.ingest.embed(texts), dimensions: space.dimensions! };
  const { vectors, embedded } = await embedRemotely(parts, space, texts, {
    timeoutMs: REMOTE_TIMEOUT_MS,
    signal,
    onPaidInVain: (lost) => onPaid(batch, lost),
  });
  await onPaid(batch, embedded);
  const dimensions = space.dimensions ?? Math.max(...vectors.map(({ length }) => length));
  if (vectors.some(({ length }) => length !== 0 && length !== dimensions)) {
    throw new Error(`The embedding model ${space.model} changed its dimensions from ${dimensions}.`);
  }
  return {
    packed: packVectors(
      vectors.map((vector) => (vector.length === 0 ? new Float32Array(dimensions) : vector)),
      dimensions,
    ),
    dimensions,
  };
};

const fillBatch = async (parts: FillParts, space: Space, batch: MissingBatch, options: FillOptions): Promise<void> => {
  const texts = listTexts(parts.db, batch).map((text) => indexedText(text.filename, text));
  // The document was deleted meanwhile.
  if (texts.length !== batch.count) return;
  const { packed, dimensions } = await packedVectors(parts, space, batch, texts, options);
  await parts.db.write((sql) => {
    if (!hasSpace(sql, space.id)) throw new Error("The embedding space was given up while it was being filled.");
    if (!hasDocument(sql, batch.documentNumber)) return;
    updateDimensions(sql, space.id, dimensions);
    insertVectors(sql, space.id, batch.documentNumber, batch.firstIndex, packed);
  });
  await parts.giveWay(packed.byteLength);
  space.dimensions ??= dimensions;
};

type OneDocument = { number: number; projectId: string };

/** For one document, or all searchable ones. Throws the embedder's errors. */
export const fillSpace = async (
  parts: FillParts,
  space: Space,
  document: OneDocument | undefined,
  options: FillOptions,
): Promise<void> => {
  for (;;) {
    const kept = await listKept(parts, space, document?.projectId);
    const missing = listMissing(parts.db, space, kept, document?.number, BATCHES_AT_ONCE);
    for (const batch of missing) {
      await options.onBatch();
      await fillBatch(parts, space, batch, options);
    }
    if (missing.length < BATCHES_AT_ONCE) return;
  }
};
