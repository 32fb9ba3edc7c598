/** The catalog's chat models; none until they have loaded. */

import type { ModelRow } from "../wire.ts";
import { get } from "./api.ts";
import { useLoad } from "./use-load.ts";

export const useModels = (): ModelRow[] =>
  useLoad("models", (signal) => get<{ models: ModelRow[] }>("/models", signal)).data?.models ?? [];
