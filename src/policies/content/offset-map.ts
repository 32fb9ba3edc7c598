/** Maps offsets between a text and a copy of it from which pieces were removed or decoded. */

import { lastUpTo } from "../../lib/last-up-to.ts";

export type OffsetMap = {
  /** Maps `index` of the original (or the next character after it that the copy has) to the copy. */
  inward(index: number): number;
  /** Maps the character at `index` of the copy to its beginning in the original. */
  outward(index: number): number;
};

/** From `inner[k]` on, the copy is the original from `outer[k]` on; both ascend from 0. `length` is that of the copy. */
export const offsetMap = (inner: readonly number[], outer: readonly number[], length: number): OffsetMap => ({
  inward: (index) => {
    const piece = lastUpTo(outer, index);
    return Math.min(inner[piece]! + index - outer[piece]!, inner[piece + 1] ?? length);
  },
  outward: (index) => {
    const piece = lastUpTo(inner, index);
    return outer[piece]! + index - inner[piece]!;
  },
});
