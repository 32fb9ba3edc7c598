/** The catalog's chat models; none until they have loaded. */

import type { ModelRow } from "../wire.ts";
import { useGet } from "./use-load.ts";

export const useModels = (): ModelRow[] => useGet<{ models: ModelRow[] }>("/models").data?.models ?? [];
