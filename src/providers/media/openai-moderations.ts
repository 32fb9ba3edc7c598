/** OpenAI's moderations endpoint (`POST /v1/moderations`, by its API reference), and Mistral's, which judges texts alone and flags nothing itself. */

import { listAt, recordAt, textAt, valueAt } from "../../lib/json-at.ts";
import { firstCount } from "../dialect/token-counts.ts";
import type { ModerationPart, ModerationRequest, ModerationVerdict } from "../media-calls.ts";
import { emptyAnswer } from "./media-error.ts";
import { type Adapter, bearer, sendForJson, vendorApi } from "./send-media-request.ts";

export const openAiModerations: Adapter<"moderate"> = (endpoint) => {
  const api = vendorApi(endpoint, "", bearer(endpoint));
  return {
    moderate: async (model, request, context) => {
      const input = "texts" in request ? request.texts : request.parts.map(toWirePart);
      const json = await sendForJson(api, { url: "/moderations", json: { model, input } }, context);
      // No text has no tokens: a server that says so has not counted.
      const tokens = firstCount(recordAt(json, "usage"), "prompt_tokens", "total_tokens") || undefined;
      return { verdicts: readVerdicts(json, request), ...(tokens !== undefined && { tokens }) };
    },
  };
};

const toWirePart = (part: ModerationPart) => (part.type === "text" ? part : { type: "image_url", image_url: { url: part.url } });

/** Throws UpstreamError if not every input was judged: what nobody looked at must not pass for harmless. */
const readVerdicts = (json: unknown, request: ModerationRequest): ModerationVerdict[] => {
  const rows = listAt(json, "results");
  const wanted = "texts" in request ? request.texts.length : 1;
  const isJudged = (row: unknown): boolean =>
    [valueAt(row, "flagged"), ...Object.values(recordAt(row, "categories"))].some((value) => typeof value === "boolean");
  if (rows.length !== wanted || !rows.every(isJudged)) throw emptyAnswer("verdict on every input");
  return rows.map(readVerdict);
};

const readVerdict = (row: unknown): ModerationVerdict => {
  const categories = ofType(recordAt(row, "categories"), (value): value is boolean => typeof value === "boolean");
  const types = recordAt(row, "category_applied_input_types");
  const flagged = valueAt(row, "flagged");
  return {
    flagged: typeof flagged === "boolean" ? flagged : Object.values(categories).includes(true),
    categories,
    scores: ofType(recordAt(row, "category_scores"), (value): value is number => typeof value === "number"),
    types: Object.fromEntries(Object.keys(categories).map((name) => [name, isTexts(types[name]) ? types[name] : ["text"]])),
  };
};

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => textAt(item) !== "");

/** Older servers send null for categories that they do not know. */
const ofType = <T>(record: Record<string, unknown>, isWanted: (value: unknown) => value is T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter((entry): entry is [string, T] => isWanted(entry[1])));
