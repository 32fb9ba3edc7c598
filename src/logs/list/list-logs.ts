/** `GET /v1/logs`: one page, and the total. The reader's thread builds it (read-page.ts); long pages are streamed. */

import type { Static } from "@sinclair/typebox";
import type { Caller } from "../../accounts/authenticate.ts";
import { toUsd } from "../../lib/money.ts";
import { TIER_LIMITS } from "../../limits/tiers.ts";
import type { Platform } from "../../platform.ts";
import { CALLS_A_TURN } from "../read-store.ts";
import type { PageOrder } from "../segments/rank-calls.ts";
import type { ListQuery } from "../wire.ts";
import { readFilter } from "./filter.ts";
import type { FindText, Found } from "./find-text.ts";
import type { Entries, Page, readEntries, readPage } from "./read-page.ts";

/** JSON, as text or as a stream of it. */
export const listLogs = async (
  platform: Platform,
  findText: FindText,
  caller: Caller,
  query: Static<typeof ListQuery>,
  signal: AbortSignal,
): Promise<string | ReadableStream<Uint8Array>> => {
  const limit = Math.min(query.limit, TIER_LIMITS[caller.project.tier].logsPerPage);
  const { offset, search, text_limit: textLimit } = query;
  const order: PageOrder = {
    filter: readFilter(query, caller, platform.clock.now()),
    sort: { by: query.sort_by, order: query.sort_order },
    limit,
    offset,
    withCost: query.total_cost ?? false,
  };
  const page: Page & { searched?: Searched } =
    search === undefined
      ? await platform.db.ask<typeof readPage>("readPage", { ...order, textLimit })
      : pageOfFound(order, await findText(order, search, signal));
  const hasMore = offset + page.seqs.length < page.total;
  const pagination = { has_more: hasMore, next_offset: hasMore ? offset + limit : null };
  const cost = page.costNanoUsd === null ? "" : `"total_cost_usd":${toUsd(page.costNanoUsd)},`;
  const searched = page.searched === undefined ? "" : `"search":${JSON.stringify(page.searched)},`;
  const begin = `{"total":${page.total},${cost}${searched}"limit":${limit},"offset":${offset},"logs":[${page.entries}`;
  const end = `],"pagination":${JSON.stringify(pagination)}}`;
  if (page.read >= page.seqs.length) return begin + end;
  const { projectId } = order.filter;
  const more = (from: number) =>
    platform.db.ask<typeof readEntries>("readEntries", {
      projectId,
      seqs: page.seqs.slice(from, from + CALLS_A_TURN),
      textLimit,
    });
  return streamOf(piecesOf(page, more, begin, end));
};

/** How many calls were searched, of all that match the other filters. */
type Searched = { searched: number; of: number };

/** A page whose entries are still to be read. */
const pageOfFound = (
  { offset, limit, withCost }: PageOrder,
  { seqs, costNanoUsd, searched, of }: Found,
): Page & { searched: Searched } => ({
  seqs: seqs.slice(offset, offset + limit),
  total: seqs.length,
  costNanoUsd: withCost ? costNanoUsd : null,
  entries: "",
  read: 0,
  searched: { searched, of },
});

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
