/** What a model takes of temperature and top_p. */

import type { ModelQuirks, OpenAiDialect } from "../../catalog/model.ts";
import type { ChatRequest } from "../provider.ts";
import { effortOf } from "./nearest-effort.ts";

/** Undefined beside a temperature for models that refuse both together. */
export const topPOf = ({ temperature, topP }: ChatRequest, { singleSampling }: ModelQuirks): number | undefined =>
  singleSampling && temperature !== undefined ? undefined : topP;

/** Whether any is sent to one of OpenAI's models. */
export const takesSampling = (request: ChatRequest, quirks: ModelQuirks, dialect: OpenAiDialect): boolean =>
  !quirks.noSampling || (quirks.samplesUnthinking === true && effortOf(request, quirks, dialect) === "none");
