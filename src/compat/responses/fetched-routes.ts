/** Responses that were given before: fetched, deleted, and their input listed. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../../accounts/authenticate.ts";
import { authorOf } from "../../history/author.ts";
import { describe } from "../../http/describe.ts";
import { guarded } from "../../http/guarded.ts";
import { readQuery } from "../../http/read-query.ts";
import { SSE_HEADERS } from "../../http/sse.ts";
import { fetchAnswer } from "../../logs/fetch-answer.ts";
import { deleteTexts } from "../../logs/forget/delete-texts.ts";
import type { Platform } from "../../platform.ts";
import { Page, pageOf, pageQuery } from "../page-of.ts";
import { RESPONSE, replayEvents, toFetchedResponse } from "./fetched-response.ts";
import { inputItemsOf } from "./input-items.ts";
import { ResponseAnswer } from "./wire.ts";

const ROUTE = "/v1/responses/:id";
/**
 * Gap: they read and change the log, so they count as its requests do. Whoever may ask for an answer may fetch it; its words are the log's,
 * so to delete them takes the scope of the log.
 */
const guard = { scope: "chat", group: "logs" } as const;

const FetchQuery = Type.Object({
  stream: Type.Optional(Type.Boolean({ description: "As the events of a stream" })),
  starting_after: Type.Optional(
    Type.Integer({ minimum: 0, description: "Of a stream: the `sequence_number` of the last event that is left out" }),
  ),
});
const InputQuery = pageQuery("desc");

export const fetchedResponseRoutes = (platform: Platform) => {
  const fetched = (caller: Caller, id: string) => fetchAnswer(platform, caller, id, RESPONSE);
  return new Elysia()
    .use(guarded(platform))
    .get(
      ROUTE,
      async ({ caller, params, request }) => {
        const { stream, starting_after: after } = readQuery(request, FetchQuery);
        const answer = await fetched(caller, params.id);
        return stream ? new Response(replayEvents(answer, after), { headers: SSE_HEADERS }) : toFetchedResponse(answer);
      },
      {
        guard,
        detail: describe({
          summary: "A response that was given before, from the log",
          description:
            "As it was given, but without thinking, cited pages and the bytes of pictures, which the log does not keep.",
          tags: ["openai"],
          query: FetchQuery,
          response: ResponseAnswer,
          otherMediaTypes: ["text/event-stream"],
        }),
      },
    )
    .delete(
      ROUTE,
      async ({ caller, params }) => {
        const { entry } = await fetched(caller, params.id);
        await deleteTexts(platform, authorOf(caller, platform.clock.now()), caller.project.id, entry.call_id);
        return { id: params.id, object: "response" as const, deleted: true as const };
      },
      {
        guard: { scope: "logs", group: "logs" },
        detail: describe({
          summary: "Delete a response: its prompt and answer leave the log, what it cost stays there",
          tags: ["openai"],
          response: Type.Object({ id: Type.String(), object: Type.Literal("response"), deleted: Type.Literal(true) }),
        }),
      },
    )
    .get(
      `${ROUTE}/input_items`,
      async ({ caller, params, request }) => {
        const page = readQuery(request, InputQuery);
        return pageOf(inputItemsOf(await fetched(caller, params.id)), page);
      },
      {
        guard,
        detail: describe({
          summary: "The conversation before a response, item by item",
          tags: ["openai"],
          query: InputQuery,
          response: Page,
        }),
      },
    );
};
