/**
 * Finds the calls at some positions of a sorted and filtered log, their number and total cost: from segments, and from rows where there is
 * none.
 */

import type { Database as Connection } from "bun:sqlite";
import { modesOf } from "../call-scope.ts";
import type { LogFilter } from "../list/filter.ts";
import { countOfUser, countStatement, firstStatement, SORT_COLUMNS, type Sort } from "../read-store.ts";
import { createRanking, type Ranking } from "./ranking.ts";
import {
  codeOf,
  type FigureColumn,
  figuresOf,
  type NameColumn,
  namesOf,
  type Part,
  partsOf,
  type Segment,
  segmentsOf,
} from "./segment-store.ts";

/** `withCost`: also sum the costs of all matching calls, which takes one more column. */
export type PageOrder = {
  filter: LogFilter;
  sort: Sort;
  limit: number;
  offset: number;
  withCost: boolean;
};

export type Totals = { total: number; costNanoUsd: number | null };

/** `seqs` are in the order of the page. */
export const rankCalls = (connection: Connection, order: PageOrder): Totals & { seqs: number[] } => {
  const parts = partsOfOrder(connection, order).map((part) => countPart(connection, order, part));
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const costNanoUsd = parts.reduce((sum, part) => sum + part.costNanoUsd, 0);
  return { total, costNanoUsd: order.withCost ? costNanoUsd : null, seqs: rankPage(connection, order, parts, total) };
};

const rankPage = (connection: Connection, order: PageOrder, parts: readonly Counted[], total: number): number[] => {
  const begin = Math.min(order.offset, total);
  const end = Math.min(begin + order.limit, total);
  if (begin === end) return [];
  // Starts from the nearer end.
  if (end <= total - begin) return rankParts(connection, order, parts, begin, end);
  const turned: PageOrder = { ...order, sort: { ...order.sort, order: order.sort.order === "asc" ? "desc" : "asc" } };
  return rankParts(connection, turned, parts.toReversed(), total - end, total - begin).reverse();
};

/** `fitting`: 1 for each call of the segment that matches. */
type Counted = Part & { count: number; costNanoUsd: number; fitting?: Uint8Array };

const MANY = 2_000;

/** The parts of the filter's range, in the order of time. */
const partsOfOrder = (connection: Connection, { filter, sort }: PageOrder): Part[] => {
  const { projectId, fromMs, toMs } = filter;
  // A user with few calls is looked up in the users' index.
  const { user_id: user } = filter.names;
  const isOfFew = user !== undefined && countOfUser(connection, projectId, user, MANY) < MANY;
  const parts = modesOf(filter).flatMap((mode) => {
    const range = { projectId, mode, fromMs, toMs };
    return partsOf(range, isOfFew ? [] : segmentsOf(connection, range));
  });
  return parts.sort((a, b) => (sort.order === "asc" ? a.fromMs - b.fromMs : b.fromMs - a.fromMs));
};

const countPart = (connection: Connection, { filter, withCost }: PageOrder, part: Part): Counted => {
  const { segment, mode, fromMs, toMs } = part;
  if (segment === undefined) {
    const { text, params } = countStatement({ ...filter, mode, fromMs, toMs }, withCost);
    return { ...part, ...(connection.query(text).get(...params) as { count: number; costNanoUsd: number }) };
  }
  const fitting = findFitting(connection, filter, segment);
  const count = sumOf(fitting);
  return { ...part, fitting, count, costNanoUsd: withCost && count > 0 ? costOf(connection, segment, fitting) : 0 };
};

/** The parts are in the requested order of time. */
const rankParts = (connection: Connection, order: PageOrder, parts: readonly Counted[], begin: number, end: number): number[] => {
  const isByTime = order.sort.by === "timestamp";
  let skipped = 0;
  const left = parts.filter(({ count }) => count > 0);
  // One mode's parts do not overlap in time, so those before the page can be skipped.
  if (isByTime && order.filter.mode !== "all") while (skipped + left[0]!.count <= begin) skipped += left.shift()!.count;
  const ranking = createRanking(end - skipped, order.sort.order);
  for (const part of left) {
    if (isByTime && ranking.excludes(order.sort.order === "desc" ? part.toMs - 1 : part.fromMs)) continue;
    if (part.segment === undefined) offerRows(connection, order, part, end - skipped, ranking);
    else
      ranking.offer(
        figuresOf(connection, part.segment, SORT_COLUMNS[order.sort.by]),
        figuresOf(connection, part.segment, "seq"),
        part.fitting,
      );
  }
  return ranking.places(begin - skipped, end - skipped);
};

const offerRows = (connection: Connection, { filter, sort }: PageOrder, part: Part, most: number, ranking: Ranking) => {
  const { mode, fromMs, toMs } = part;
  const { text, params } = firstStatement({ ...filter, mode, fromMs, toMs }, sort, most);
  const rows = connection.query(text).values(...params) as [seq: number, figure: number][];
  ranking.offer(
    rows.map(([, figure]) => figure),
    rows.map(([seq]) => seq),
  );
};

const costOf = (connection: Connection, segment: Segment, fitting: Uint8Array): number => {
  const costs = figuresOf(connection, segment, "cost_nano_usd");
  let sum = 0;
  for (let n = 0; n < costs.length; n++) if (fitting[n] === 1) sum += costs[n]!;
  return sum;
};

const sumOf = (bytes: Uint8Array): number => {
  let sum = 0;
  for (let n = 0; n < bytes.length; n++) sum += bytes[n]!;
  return sum;
};

/** 1 for each call of the segment that matches. Reads only the columns that the filter needs. */
const findFitting = (connection: Connection, { names, figures, fromMs, toMs }: LogFilter, segment: Segment): Uint8Array => {
  const fitting = new Uint8Array(segment.calls).fill(1);
  const keepName = (column: NameColumn, name: string) => {
    const { codes, lines } = namesOf(connection, segment, column);
    const code = codeOf(lines, name);
    for (let n = 0; n < codes.length; n++) if (codes[n] !== code) fitting[n] = 0;
  };
  const keepWithin = (column: FigureColumn, least: number, most: number) => {
    const values = figuresOf(connection, segment, column);
    for (let n = 0; n < values.length; n++) if (values[n]! < least || values[n]! > most) fitting[n] = 0;
  };
  for (const [column, name] of Object.entries(names)) if (name !== undefined) keepName(column as NameColumn, name);
  for (const [column, { least = 0, most = Number.MAX_SAFE_INTEGER }] of Object.entries(figures))
    if (least > 0 || most < Number.MAX_SAFE_INTEGER) keepWithin(column as FigureColumn, least, most);
  if (segment.fromMs < fromMs || segment.toMs > toMs) keepWithin("started_at", fromMs, toMs - 1);
  return fitting;
};
