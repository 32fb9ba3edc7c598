/** Signalbox's own fields in the body of a chat, the same for every API; clients of other vendors' SDKs send them as extra fields. */

import { type Static, type TObject, Type } from "@sinclair/typebox";
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
  const one = body.document_id ? [{ id: body.document_id, param: "document_id" }] : [];
  const several = (body.document_ids ?? []).map((id, index) => ({ id, param: `document_ids.${index}` }));
  return {
    ...(body.max_cost_per_call != null && { ceilingNanoUsd: ceilingInNanoUsd(body.max_cost_per_call) }),
    ...(body.document_id && { documentId: body.document_id }),
    documents: [...one, ...several],
    ...(body.session_id && { sessionId: body.session_id }),
    memoryEnabled: body.memory?.enabled ?? true,
    ...(body.memory?.include_last_n !== undefined && { includeLastN: body.memory.include_last_n }),
    ...(body.models != null && body.models.length > 0 && { models: body.models }),
    allowFallback: body.allow_fallback ?? false,
    ...(body.quality_cost != null && { qualityCost: body.quality_cost }),
  };
};
