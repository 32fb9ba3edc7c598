/** `GET /v1/logs`: one page and how many there are. Entries are unpacked a few at a time, so that a page of ten thousand stalls nobody. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../accounts/authenticate.ts";
import { TIER_LIMITS } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import { readFilter } from "./filter.ts";
import { countCalls, pageStatement, type StoredCall } from "./search-store.ts";
import { toWireEntry } from "./to-wire.ts";
import type { ListQuery } from "./wire.ts";

const UNPACKED_AT_ONCE = 100;

/** The answer as JSON text. */
export const listLogs = async (platform: Platform, caller: Caller, query: Static<typeof ListQuery>): Promise<string> => {
  const filter = readFilter(query, caller, platform.clock.now());
  const limit = Math.min(query.limit ?? 50, TIER_LIMITS[caller.project.tier].logsPerPage);
  const offset = query.offset ?? 0;
  const page = pageStatement(
    caller.project.id,
    filter,
    { by: query.sort_by ?? "timestamp", order: query.sort_order ?? "desc" },
    limit,
    offset,
  );
  const counting = countCalls(platform.db, caller.project.id, filter);
  const entries: string[] = [];
  for await (const rows of platform.db.scanPages<StoredCall>(page.text, page.params, UNPACKED_AT_ONCE)) {
    for (const row of rows) entries.push(JSON.stringify(toWireEntry(row)));
  }
  // A call that came between the two reads must not make the page longer than the whole.
  const total = Math.max(await counting, entries.length === 0 ? 0 : offset + entries.length);
  const hasMore = offset + entries.length < total && entries.length === limit;
  const pagination = { has_more: hasMore, next_offset: hasMore ? offset + limit : null };
  return `{"total":${total},"limit":${limit},"offset":${offset},"logs":[${entries.join(",")}],"pagination":${JSON.stringify(pagination)}}`;
};
