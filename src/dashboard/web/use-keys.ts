/** The project's API keys. */

import type { KeyRow } from "../wire.ts";
import { get } from "./api.ts";
import { project } from "./state.ts";
import { useLoad } from "./use-load.ts";

export const loadKeys = async (signal: AbortSignal): Promise<KeyRow[]> =>
  (await get<{ keys: KeyRow[] }>(`/projects/${project.value!.id}/keys`, signal)).keys;

export const useKeys = () => useLoad(`keys ${project.value!.id}`, loadKeys);
