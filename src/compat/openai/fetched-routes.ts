/** Chat completions that were given before and stored: fetched, deleted, and their messages listed. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../../accounts/authenticate.ts";
import { Completion } from "../../chat/response/completion-schema.ts";
import { authorOf } from "../../history/author.ts";
import { describe } from "../../http/describe.ts";
import { guarded } from "../../http/guarded.ts";
import { readQuery } from "../../http/read-query.ts";
import { fetchAnswer } from "../../logs/fetch-answer.ts";
import { deleteTexts } from "../../logs/forget/delete-texts.ts";
import type { Platform } from "../../platform.ts";
import { Page, pageOf, pageQuery } from "../page-of.ts";
import { COMPLETION, messagesOf, toFetchedCompletion } from "./fetched-completion.ts";

const ROUTE = "/v1/chat/completions/:id";
/** As for responses. */
const guard = { scope: "chat", group: "logs" } as const;

const Metadata = Type.Object({ metadata: Type.Record(Type.String(), Type.String()) });
const FetchedCompletion = Type.Composite([Completion, Metadata]);
const MessageQuery = pageQuery("asc");

export const fetchedCompletionRoutes = (platform: Platform) => {
  const fetched = (caller: Caller, id: string) => fetchAnswer(platform, caller, id, COMPLETION);
  return new Elysia()
    .use(guarded(platform))
    .get(ROUTE, async ({ caller, params }) => toFetchedCompletion(await fetched(caller, params.id)), {
      guard,
      detail: describe({
        summary: "A chat completion that was made with `store: true`, from the log",
        description: "As it was given, but without thinking, cited pages and the bytes of pictures, which the log does not keep.",
        tags: ["openai"],
        response: FetchedCompletion,
      }),
    })
    .delete(
      ROUTE,
      async ({ caller, params }) => {
        const { entry } = await fetched(caller, params.id);
        await deleteTexts(platform, authorOf(caller, platform.clock.now()), caller.project.id, entry.call_id);
        return { id: params.id, object: "chat.completion.deleted" as const, deleted: true as const };
      },
      {
        guard: { scope: "logs", group: "logs" },
        detail: describe({
          summary: "Delete a chat completion: its messages leave the log, what it cost stays there",
          tags: ["openai"],
          response: Type.Object({
            id: Type.String(),
            object: Type.Literal("chat.completion.deleted"),
            deleted: Type.Literal(true),
          }),
        }),
      },
    )
    .get(
      `${ROUTE}/messages`,
      async ({ caller, params, request }) => {
        const page = readQuery(request, MessageQuery);
        return pageOf(messagesOf(await fetched(caller, params.id)), page);
      },
      {
        guard,
        detail: describe({
          summary: "The messages before a stored chat completion",
          tags: ["openai"],
          query: MessageQuery,
          response: Page,
        }),
      },
    );
};
