/**
 * If the configured embedder differs from the live space's, a new space is built in the background while the old one answers; when it is
 * complete, one commit switches over.
 */
import type { Job, JobContext, JobOutcome } from "../../background/background.ts";
import type { Sql } from "../../database/database.ts";
import type { Platform } from "../../platform.ts";
import { UpstreamError } from "../../providers/upstream-error.ts";
import { fillSpace } from "./fill-space.ts";
import { listKept } from "./may-leave.ts";
import { OPERATOR } from "./record-embedding.ts";
import { LOCAL, type Space, type SpaceKey, sameSpace } from "./space.ts";
import { deleteSomeLostVectors, deleteSpace, findSpace, insertSpace, promoteSpace } from "./store.ts";

export const CHANGE_EMBEDDER = "document.embedder";

const AGAIN_MS = 60_000;
const VECTOR_ROWS_AT_ONCE = 100;

/** The configured embedder; by default the built-in one. */
export const wantedSpace = ({ config, encoder }: Platform): SpaceKey => {
  const embedding = config.file.documents?.embedding;
  if (embedding !== undefined && embedding.provider !== LOCAL) return { ...embedding, revision: "1" };
  return { provider: LOCAL, model: "static", revision: encoder.revision };
};

/** At the start: creates the first space, or begins the change to another. True if there is work. */
export const prepareSpaces = (sql: Sql, wanted: SpaceKey, localDimensions: number, now: number): boolean => {
  const dimensions = wanted.provider === LOCAL ? localDimensions : null;
  const live = findSpace(sql, "live");
  const building = findSpace(sql, "building");
  if (live === undefined) {
    insertSpace(sql, wanted, dimensions, "live", now);
    return false;
  }
  if (building !== undefined && (sameSpace(live, wanted) || !sameSpace(building, wanted))) deleteSpace(sql, building.id);
  if (sameSpace(live, wanted)) return building !== undefined;
  if (building === undefined || !sameSpace(building, wanted)) insertSpace(sql, wanted, dimensions, "building", now);
  return true;
};

const buildSpace = async (platform: Platform, building: Space, context: JobContext): Promise<void> => {
  const { db, log } = platform;
  for (let isDone = false; !isDone; ) {
    await fillSpace(platform, { space: building, payer: OPERATOR, context });
    const kept = await listKept(platform, building);
    isDone = await db.write((sql) => promoteSpace(sql, building, kept));
  }
  log.info("Documents are now found by another embedder", { provider: building.provider, model: building.model });
};

/** The job: resumes where an earlier run stopped, and comes back later if the new embedder is down. */
export const changeEmbedder = async (platform: Platform, _job: Job, context: JobContext): Promise<JobOutcome> => {
  const { db, log } = platform;
  const building = findSpace(db, "building");
  if (building !== undefined) {
    try {
      await buildSpace(platform, building, context);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      log.warn("The new embedder failed; the old one goes on answering", { detail: error.message });
      return { againInMs: AGAIN_MS };
    }
  }
  while (!(await db.write((sql) => deleteSomeLostVectors(sql, VECTOR_ROWS_AT_ONCE)))) await context.heartbeat();
};
