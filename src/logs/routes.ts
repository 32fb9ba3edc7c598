/** The log over HTTP (spec.md Logs, decisions §10). Calls of other projects are treated as unknown. */

import { Elysia } from "elysia";
import type { Caller } from "../accounts/authenticate.ts";
import type { Project } from "../accounts/project.ts";
import { notFound } from "../api-error.ts";
import { authorOf } from "../history/author.ts";
import { describe } from "../http/describe.ts";
import { guarded } from "../http/guarded.ts";
import { readJson } from "../http/read-json.ts";
import { readQuery } from "../http/read-query.ts";
import { callIdOf } from "../lib/ids.ts";
import { BOUNDS } from "../limits/bounds.ts";
import type { Platform } from "../platform.ts";
import { reviewAnyText } from "../policies/content/review-json.ts";
import { saveFeedback } from "./amend/feedback-store.ts";
import { exportLogs } from "./export/export-logs.ts";
import { createExports } from "./export/run-exports.ts";
import { forgetUser } from "./forget/forget-user.ts";
import { createTextSearch } from "./list/find-text.ts";
import { listLogs } from "./list/list-logs.ts";
import { summarizeLogs } from "./list/summarize-logs.ts";
import { findCall } from "./read-store.ts";
import { toWireDetail } from "./to-wire.ts";
import {
  DetailQuery,
  ExportQuery,
  FeedbackAnswer,
  FeedbackBody,
  ForgetQuery,
  ForgottenUser,
  ListQuery,
  LogDetail,
  LogPage,
  LogSummary,
  SummaryQuery,
} from "./wire.ts";

const guard = { scope: "logs", group: "logs" } as const;

const redactForLog = async (platform: Platform, project: Project, text: string): Promise<string> => {
  const { logs } = await platform.policies.of(project.id);
  return logs === undefined ? text : reviewAnyText(logs, text).text;
};

export const logRoutes = (platform: Platform) => {
  const exports = createExports(platform.db.pathToOpen);
  const findText = createTextSearch(platform.db);
  const forget = (caller: Caller, userId: string): Promise<number> =>
    forgetUser(platform, authorOf(caller, platform.clock.now()), caller.project.id, userId);
  return (
    new Elysia()
      .use(guarded(platform))
      .get(
        "/v1/logs",
        async ({ caller, request }) =>
          new Response(await listLogs(platform, findText, caller, readQuery(request, ListQuery), request.signal), {
            headers: { "content-type": "application/json" },
          }),
        { guard, detail: describe({ summary: "List calls", query: ListQuery, response: LogPage }) },
      )
      .get("/v1/logs/summary", ({ caller, request }) => summarizeLogs(platform, caller, readQuery(request, SummaryQuery)), {
        guard,
        detail: describe({ summary: "Sums of a range of calls", query: SummaryQuery, response: LogSummary }),
      })
      .get("/v1/logs/export", ({ caller, request }) => exportLogs(platform, exports, caller, readQuery(request, ExportQuery)), {
        guard,
        detail: describe({
          summary: "Export calls as a file",
          query: ExportQuery,
          response: { mediaType: ["application/json", "application/x-ndjson", "text/csv", "application/vnd.apache.parquet"] },
          headers: ["Content-Disposition"],
        }),
      })
      .get(
        "/v1/logs/:call_id",
        async ({ caller, params, request }) => {
          const { mode } = readQuery(request, DetailQuery);
          const call = await findCall(platform.db, caller.project.id, callIdOf(params.call_id), mode ?? caller.mode);
          if (call === undefined) throw notFound("The call");
          return toWireDetail(call, platform.encoder.embed);
        },
        { guard, detail: describe({ summary: "One call with everything known of it", query: DetailQuery, response: LogDetail }) },
      )
      .post(
        "/v1/logs/:call_id/feedback",
        async ({ caller, params, request }) => {
          const { score, comment } = await readJson(request, FeedbackBody);
          const event = await saveFeedback(platform.db, caller.project.id, {
            callId: callIdOf(params.call_id),
            mode: caller.mode,
            score,
            comment: comment && (await redactForLog(platform, caller.project, comment)),
            atMs: platform.clock.now(),
          });
          if (event === undefined) throw notFound("The call");
          platform.learning.heardOfFeedback(caller.project, event);
          return { call_id: event.callId, score: event.score };
        },
        {
          guard,
          detail: describe({ summary: "Say how good an answer was", body: FeedbackBody, response: FeedbackAnswer }),
        },
      )
      .delete(
        "/v1/logs/user/:user_id",
        async ({ caller, params }) => {
          const userId = readUserId(params.user_id);
          return { user_id: userId, deleted: await forget(caller, userId) };
        },
        { guard, detail: describe({ summary: "Delete what is logged of a user", response: ForgottenUser }) },
      )
      // Gap: "." and ".." have a meaning in paths, and some proxies do not let a "/" through.
      .delete(
        "/v1/logs/user",
        async ({ caller, request }) => {
          const { user_id } = readQuery(request, ForgetQuery);
          return { user_id, deleted: await forget(caller, user_id) };
        },
        {
          guard,
          detail: describe({
            summary: "The same, for a user whose id cannot stand in a path",
            query: ForgetQuery,
            response: ForgottenUser,
          }),
        },
      )
  );
};

/** No call can have a longer one, so there is nothing to delete. */
const readUserId = (text: string): string => {
  if (text.length > BOUNDS.nameCharacters) throw notFound("The user");
  return text;
};
