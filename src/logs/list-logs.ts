/** `GET /v1/logs`: one page and how many there are. The reader's thread makes it (read-page.ts). */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../accounts/authenticate.ts";
import { TIER_LIMITS } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import { readFilter } from "./filter.ts";
import { ENTRIES_AT_ONCE, type Page } from "./read-page.ts";
import type { PageOrder } from "./segments/rank-calls.ts";
import type { ListQuery } from "./wire.ts";

/** The answer as JSON text. */
export const listLogs = async (platform: Platform, caller: Caller, query: Static<typeof ListQuery>): Promise<string> => {
  const limit = Math.min(query.limit ?? 50, TIER_LIMITS[caller.project.tier].logsPerPage);
  const offset = query.offset ?? 0;
  const page = await platform.db.ask<Page>("readPage", {
    projectId: caller.project.id,
    filter: readFilter(query, caller, platform.clock.now()),
    sort: { by: query.sort_by ?? "timestamp", order: query.sort_order ?? "desc" },
    limit,
    offset,
  } satisfies PageOrder);
  const entries = [page.entries];
  for (let n = ENTRIES_AT_ONCE; n < page.seqs.length; n += ENTRIES_AT_ONCE)
    entries.push(await platform.db.ask<string>("readEntries", page.seqs.slice(n, n + ENTRIES_AT_ONCE)));
  const hasMore = offset + page.seqs.length < page.total;
  const pagination = { has_more: hasMore, next_offset: hasMore ? offset + limit : null };
  const logs = entries.filter((text) => text !== "").join(",");
  return `{"total":${page.total},"limit":${limit},"offset":${offset},"logs":[${logs}],"pagination":${JSON.stringify(pagination)}}`;
};
