/** The wire formats that an upstream may speak, each in a folder of its own. */

import type { SpokenDialect } from "../catalog/model.ts";
import { anthropicDialect } from "./anthropic/anthropic-dialect.ts";
import type { WireDialect } from "./dialect/wire-dialect.ts";
import { googleDialect } from "./google/google-dialect.ts";
import { ollamaDialect } from "./ollama/ollama-dialect.ts";
import { openAiDialect } from "./openai/openai-dialect.ts";
import { responsesDialect } from "./openai-responses/responses-dialect.ts";

export const WIRE_DIALECTS: Record<SpokenDialect, WireDialect> = {
  openai: openAiDialect,
  "openai-responses": responsesDialect,
  anthropic: anthropicDialect,
  google: googleDialect,
  ollama: ollamaDialect,
};
