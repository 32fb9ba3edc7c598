/**
 * Decides whose text may be sent to a remote embedder: not that of projects whose routing policies exclude its provider or model, and not
 * that of projects whose content policies review prompts, because this text is not reviewed. Their documents are found by words alone.
 */
import type { Platform } from "../../platform.ts";
import { isLocal, type SpaceKey } from "./space.ts";
import { listProjects } from "./store.ts";

export const mayLeave = async ({ policies }: Platform, space: SpaceKey, projectId: string): Promise<boolean> => {
  const { routing, input } = await policies.of(projectId);
  if (input !== undefined) return false;
  const { provider, model } = space;
  // Indexing is not a call, so a ceiling or latency target per call does not apply.
  return routing === undefined || routing.allows({ id: `${provider}/${model}`, provider, names: [model], estimatedNanoUsd: 0 });
};

/** The projects, among those that ever had a document, whose text must stay here; or only the named one. */
export const listKept = async (platform: Platform, space: SpaceKey, only?: string): Promise<string[]> => {
  if (isLocal(space)) return [];
  const kept: string[] = [];
  for (const projectId of only === undefined ? listProjects(platform.db) : [only])
    if (!(await mayLeave(platform, space, projectId))) kept.push(projectId);
  return kept;
};
