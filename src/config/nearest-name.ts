/** The known name that a misspelt one resembles. */

/** Undefined if more than half of the name would have to change. */
export const nearestName = <Name extends string>(written: string, known: readonly Name[]): Name | undefined => {
  const [nearest] = known
    .map((name) => ({ name, distance: editDistance(written, name) }))
    .filter(({ distance }) => distance <= written.length / 2)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name;
};

/** The least number of characters to insert, delete or replace. */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, count) => count);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++)
      next.push(Math.min(row[at + 1]! + 1, next[at]! + 1, row[at]! + Number(character !== to[at])));
    row = next;
  }
  return row[to.length]!;
};
