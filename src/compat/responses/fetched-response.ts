/** A response as it is fetched later: the answer that the log has, and the request as the response echoes it. */

import { answerOf } from "../../chat/response/fetched-answer.ts";
import { partsOf } from "../../chat/response/whole-answer.ts";
import { given } from "../../lib/given.ts";
import type { FetchableKind, FetchedAnswer } from "../../logs/fetch-answer.ts";
import { endsInTrigger, TRIGGER } from "./compaction.ts";
import { toResponse } from "./shape-responses.ts";
import { createResponseEncoder } from "./stream-responses.ts";
import type { ResponsesBody } from "./wire.ts";

export const RESPONSE: FetchableKind = { what: "response", routes: ["/v1/responses"], isKept: true };

/** What the log has of the request nowhere else. */
export const echoOf = (body: ResponsesBody) => {
  const { previous_response_id, prompt_cache_key, user, temperature, top_p, max_output_tokens } = body;
  const { parallel_tool_calls, reasoning, text, tool_choice, tools } = body;
  return given({
    ...{ previous_response_id, prompt_cache_key, user, temperature, top_p, max_output_tokens },
    ...{ parallel_tool_calls, reasoning, text, tool_choice, tools },
  });
};

/** The request, as far as the response depends on it. */
export const bodyOf = ({ details, entry, instructions, messages }: FetchedAnswer): ResponsesBody => ({
  ...details.echo,
  ...(instructions !== undefined && { instructions }),
  metadata: entry.metadata.custom,
  input: endsInTrigger(messages) ? [TRIGGER] : [],
});

export const toFetchedResponse = (fetched: FetchedAnswer) => toResponse(answerOf(fetched), bodyOf(fetched));

/** The events in which a stream would have told it, without those up to `after`. */
export const replayEvents = (fetched: FetchedAnswer, after = -1): string => {
  const { result, svc, model, ...about } = answerOf(fetched);
  const facts = { ...about, model: () => model, promptTokens: () => 0, promptUsage: () => result.usage };
  const encoder = createResponseEncoder(facts, bodyOf(fetched));
  const frames = [...partsOf(result), { type: "final" as const, result, svc }].map(encoder.part).join("");
  return frames
    .split("\n\n")
    .slice(after + 1)
    .join("\n\n");
};
