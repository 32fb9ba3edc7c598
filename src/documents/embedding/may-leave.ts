/**
 * Whose text a remote embedder may see: not that of a project whose routing policies keep its provider or model out, nor of one whose
 * content policies review what is sent, since nobody reviews this. What may not leave is found by its words.
 */
import type { Db } from "../../database/database.ts";
import type { ActivePoliciesOf } from "../../policies/active-policies.ts";
import { isLocal, type SpaceKey } from "./space.ts";
import { listProjects } from "./store.ts";

type Sources = { policies: ActivePoliciesOf };

export const mayLeave = async ({ policies }: Sources, space: SpaceKey, projectId: string): Promise<boolean> => {
  if (isLocal(space)) return true;
  const { routing, input } = await policies.of(projectId);
  if (input !== undefined) return false;
  const { provider, model } = space;
  // An index is no call: what it costs and how long it takes is nothing that a ceiling per call bounds.
  return routing === undefined || routing.allows({ id: `${provider}/${model}`, provider, names: [model], estimatedNanoUsd: 0 });
};

/** The projects, of those that ever held a document, whose text stays here; or the one, where it is the only one that matters. */
export const listKept = async (sources: Sources & { db: Db }, space: SpaceKey, only?: string): Promise<string[]> => {
  if (isLocal(space)) return [];
  const kept: string[] = [];
  for (const projectId of only === undefined ? listProjects(sources.db) : [only])
    if (!(await mayLeave(sources, space, projectId))) kept.push(projectId);
  return kept;
};
