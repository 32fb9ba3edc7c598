/** The history of changes, for the operator alone: it tells of all projects. */

import { listChanges } from "../../history/store.ts";
import { HistoryQuery, toWireChange } from "../../history/wire.ts";
import { readDate } from "../../http/read-date.ts";
import { readQuery } from "../../http/read-query.ts";
import type { Platform } from "../../platform.ts";
import type { HistoryAnswer } from "../wire.ts";
import { signedInRoutes } from "./signed-in-routes.ts";

export const historyRoutes = (platform: Platform) =>
  signedInRoutes(platform).get("/history", async ({ request }): Promise<HistoryAnswer> => {
    const { project, kind, start_date: start, end_date: end, limit, offset } = readQuery(request, HistoryQuery);
    const fromMs = start === undefined ? undefined : readDate(start, "start_date", "start");
    const untilMs = end === undefined ? undefined : readDate(end, "end_date", "end");
    const { changes, total } = await listChanges(platform.db, { project, kind, fromMs, untilMs }, { limit, offset });
    return { changes: changes.map(toWireChange), total, limit, offset };
  });
