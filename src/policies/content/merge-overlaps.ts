/** Overlapping findings count once: the longest wins, the earlier one among equals (decisions §11). */

type Extent = { start: number; end: number };

/** `start` and `end` cover the winner and all findings that it swallowed, so that no character of any of them remains. */
export type Merged<T> = Extent & { winner: T; swallowed: T[] };

/** The winners in order of their start. */
export function mergeOverlaps<T extends Extent>(findings: readonly T[]): Merged<T>[] {
  const byStart = [...findings].sort((a, b) => a.start - b.start);
  const merged: Merged<T>[] = [];
  for (let first = 0; first < byStart.length; ) {
    let end = byStart[first]!.end;
    let next = first + 1;
    while (next < byStart.length && byStart[next]!.start < end) end = Math.max(end, byStart[next++]!.end);
    if (next === first + 1) merged.push(alone(byStart[first]!));
    else merged.push(...mergeCluster(byStart.slice(first, next)));
    first = next;
  }
  return merged;
}

const alone = <T extends Extent>(finding: T): Merged<T> => ({
  start: finding.start,
  end: finding.end,
  winner: finding,
  swallowed: [],
});

/** Index of the first winner that ends after `start`; winners never overlap and are kept in order. */
function firstEndingAfter<T extends Extent>(winners: readonly Merged<T>[], start: number): number {
  let low = 0;
  let high = winners.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (winners[middle]!.winner.end <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Longest first; what touches a winner is swallowed by it. */
function mergeCluster<T extends Extent>(cluster: T[]): Merged<T>[] {
  const winners: Merged<T>[] = [];
  for (const finding of cluster.toSorted((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)) {
    const index = firstEndingAfter(winners, finding.start);
    const other = winners[index];
    if (other === undefined || other.winner.start >= finding.end) {
      winners.splice(index, 0, alone(finding));
      continue;
    }
    other.swallowed.push(finding);
    other.start = Math.min(other.start, finding.start);
    other.end = Math.max(other.end, finding.end);
  }
  return winners;
}

/** The last cut at or before `at` that no finding straddles. */
export function cutOutside(findings: readonly Extent[], at: number): number {
  let cut = at;
  for (const finding of findings.toSorted((a, b) => b.start - a.start))
    if (finding.start < cut && cut < finding.end) cut = finding.start;
  return cut;
}
