/** Calls, tokens and cost by key or user: from the segments that lie within a range, and from rows for what remains of it. */

import type { Database as Connection } from "bun:sqlite";
import { type CallScope, modesOf } from "../call-scope.ts";
import { type NamedSums, type SummedRange, sumsOfRows } from "../read-store.ts";
import { figuresOf, namesOf, partsOf, type Segment, segmentsOf } from "./segment-store.ts";

/** `toMs` is exclusive. */
type SumsWanted = { scope: CallScope; fromMs: number; toMs: number; column: "key_id" | "user_id"; most: number };

/** Dearest first, at most `most`. */
export const sumByName = (connection: Connection, { scope, fromMs, toMs, column, most }: SumsWanted): NamedSums[] => {
  const sums = new Map<string | null, NamedSums>();
  for (const mode of modesOf(scope)) {
    for (const more of sumsOfMode(connection, { projectId: scope.projectId, mode, fromMs, toMs, column })) {
      const known = sums.get(more.name);
      if (known === undefined) sums.set(more.name, more);
      else addTo(known, more.calls, more.tokens, more.costNanoUsd);
    }
  }
  return [...sums.values()]
    .sort((a, b) => b.costNanoUsd - a.costNanoUsd || ((a.name ?? "") < (b.name ?? "") ? -1 : 1))
    .slice(0, most);
};

/** A name may come several times. */
const sumsOfMode = (connection: Connection, range: SummedRange): NamedSums[] => {
  const within = segmentsOf(connection, range).filter(({ fromMs, toMs }) => fromMs >= range.fromMs && toMs <= range.toMs);
  return partsOf(range, within).flatMap(({ segment, ...part }) =>
    segment === undefined ? sumsOfRows(connection, { ...range, ...part }) : sumsOfSegment(connection, segment, range.column),
  );
};

const sumsOfSegment = (connection: Connection, segment: Segment, column: SummedRange["column"]): NamedSums[] => {
  const { codes, lines } = namesOf(connection, segment, column);
  const tokens = figuresOf(connection, segment, "total_tokens");
  const costs = figuresOf(connection, segment, "cost_nano_usd");
  const names = lines.split("\n").slice(1, -1);
  const sums = names.map((name): NamedSums => ({ name: JSON.parse(name), calls: 0, tokens: 0, costNanoUsd: 0 }));
  for (let n = 0; n < codes.length; n++) addTo(sums[codes[n]!]!, 1, tokens[n]!, costs[n]!);
  return sums;
};

const addTo = (sums: NamedSums, calls: number, tokens: number, costNanoUsd: number): void => {
  sums.calls += calls;
  sums.tokens += tokens;
  sums.costNanoUsd += costNanoUsd;
};
