/** Signalbox's own fields in the body of a chat, the same for every API; clients of other vendors' SDKs send them as extra fields. */

import { type Static, type TObject, Type } from "@sinclair/typebox";
import { given } from "../../lib/given.ts";
import { ceilingInNanoUsd } from "../../lib/money.ts";
import { nullable } from "../../lib/nullable.ts";
import { SessionId } from "../../lib/session-id.ts";
import type { ChatInput } from "./chat-input.ts";

export const OWN_FIELDS = {
  max_cost_per_call: nullable(
    Type.Number({ minimum: 0, description: "Cost ceiling in USD over all attempts; 0 allows free models only" }),
  ),
  document_id: nullable(Type.String({ minLength: 1, description: "One uploaded document used as context" })),
  document_ids: nullable(
    Type.Array(Type.String({ minLength: 1 }), { maxItems: 100, description: "Uploaded documents used as context" }),
  ),
  session_id: nullable(SessionId),
  memory: nullable(
    Type.Object(
      {
        enabled: Type.Optional(Type.Boolean({ description: "If false, the session is neither read nor extended" })),
        include_last_n: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 2 ** 31 - 1,
            description: "How many of the last messages are used, besides the summary of older ones",
          }),
        ),
      },
      { description: "How the session is used" },
    ),
  ),
  models: nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 20,
      description: "With `model`: its fallbacks, in this order. Without: the models that the router chooses among",
    }),
  ),
  allow_fallback: nullable(Type.Boolean({ description: "With `model`: let others answer if none of the models named can" })),
  quality_cost: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: "0 = best, 1 = cheapest; the project's setting by default" }),
  ),
};

export type OwnInput = Pick<
  ChatInput,
  | "ceilingNanoUsd"
  | "documentId"
  | "documents"
  | "sessionId"
  | "memoryEnabled"
  | "includeLastN"
  | "models"
  | "allowFallback"
  | "qualityCost"
>;

export const readOwnFields = (body: Static<TObject<typeof OWN_FIELDS>>): OwnInput => {
  const { max_cost_per_call: ceiling, document_id: documentId, document_ids: documentIds, memory, models } = body;
  const one = documentId ? [{ id: documentId, param: "document_id" }] : [];
  const several = (documentIds ?? []).map((id, index) => ({ id, param: `document_ids.${index}` }));
  return {
    documents: [...one, ...several],
    memoryEnabled: memory?.enabled ?? true,
    allowFallback: body.allow_fallback ?? false,
    ...given({
      ceilingNanoUsd: ceiling == null ? null : ceilingInNanoUsd(ceiling),
      documentId,
      sessionId: body.session_id,
      includeLastN: memory?.include_last_n,
      models: models?.length ? models : null,
      qualityCost: body.quality_cost,
    }),
  };
};
