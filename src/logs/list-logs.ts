/** `GET /v1/logs`: one page, and the total. The reader's thread builds it (read-page.ts); long pages are streamed. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../accounts/authenticate.ts";
import { toUsd } from "../lib/money.ts";
import { TIER_LIMITS } from "../limits/tiers.ts";
import type { Platform } from "../platform.ts";
import { readFilter } from "./filter.ts";
import { ENTRIES_AT_ONCE, type Entries, type Page } from "./read-page.ts";
import type { PageOrder } from "./segments/rank-calls.ts";
import type { ListQuery } from "./wire.ts";

/** JSON, as text or as a stream of it. */
export const listLogs = async (
  platform: Platform,
  caller: Caller,
  query: Static<typeof ListQuery>,
): Promise<string | ReadableStream<Uint8Array>> => {
  const limit = Math.min(query.limit, TIER_LIMITS[caller.project.tier].logsPerPage);
  const { offset, text_limit: textLimit } = query;
  const page = await platform.db.ask<Page>("readPage", {
    filter: readFilter(query, caller, platform.clock.now()),
    sort: { by: query.sort_by, order: query.sort_order },
    limit,
    offset,
    withCost: query.total_cost ?? false,
    textLimit,
  } satisfies PageOrder & { textLimit: number | undefined });
  const hasMore = offset + page.seqs.length < page.total;
  const pagination = { has_more: hasMore, next_offset: hasMore ? offset + limit : null };
  const cost = page.costNanoUsd === null ? "" : `"total_cost_usd":${toUsd(page.costNanoUsd)},`;
  const begin = `{"total":${page.total},${cost}"limit":${limit},"offset":${offset},"logs":[${page.entries}`;
  const end = `],"pagination":${JSON.stringify(pagination)}}`;
  if (page.read >= page.seqs.length) return begin + end;
  const more = (from: number) =>
    platform.db.ask<Entries>("readEntries", { seqs: page.seqs.slice(from, from + ENTRIES_AT_ONCE), textLimit });
  return streamOf(piecesOf(page, more, begin, end));
};

const piecesOf = async function* (
  { seqs, entries, read }: Page,
  next: (from: number) => Promise<Entries>,
  begin: string,
  end: string,
) {
  yield begin;
  let isFirst = entries === "";
  while (read < seqs.length) {
    const more = await next(read);
    if (more.entries !== "") yield isFirst ? more.entries : `,${more.entries}`;
    isFirst &&= more.entries === "";
    read += more.read;
  }
  yield end;
};

const streamOf = (pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value, done } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
};
