/** Signalbox's own fields in the body of a chat, under any API: an SDK sends them as extra fields. */

import { type Static, type TObject, Type } from "@sinclair/typebox";
import { ceilingInNanoUsd } from "../../lib/money.ts";
import { nullable } from "../../lib/nullable.ts";
import { SessionId } from "../../lib/session-id.ts";
import type { ChatInput } from "./chat-input.ts";

export const OWN_FIELDS = {
  max_cost_per_call: nullable(
    Type.Number({ minimum: 0, description: "Cost ceiling in USD over all attempts; 0 leaves what is free" }),
  ),
  document_ids: nullable(
    Type.Array(Type.String({ minLength: 1 }), { maxItems: 100, description: "Uploaded documents used as context" }),
  ),
  session_id: nullable(SessionId),
};

export const readOwnFields = (
  body: Static<TObject<typeof OWN_FIELDS>>,
): Pick<ChatInput, "ceilingNanoUsd" | "documents" | "sessionId"> => ({
  ...(body.max_cost_per_call != null && { ceilingNanoUsd: ceilingInNanoUsd(body.max_cost_per_call) }),
  documents: (body.document_ids ?? []).map((id, index) => ({ id, param: `document_ids.${index}` })),
  ...(body.session_id && { sessionId: body.session_id }),
});
