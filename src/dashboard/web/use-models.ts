/** The catalog's chat models; none until they have loaded. */

import type { ModelRow, ModelsAnswer } from "../wire.ts";
import { useGet } from "./use-load.ts";

export const useModels = (): ModelRow[] => useGet<ModelsAnswer>("/models").data?.models ?? [];
