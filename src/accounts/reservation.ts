/** What one call has reserved of the budgets that pay for it: as much of each, or nothing of any. */

import type { Purse } from "./purses.ts";

export type Reservation = {
  /** As `raise`, but throws 429 `budget_exceeded`. */
  require(nanoUsd: number): void;
  /** Whether the budgets cover a reservation of `nanoUsd` in total. */
  covers(nanoUsd: number): boolean;
  /** Raises the reservation to `nanoUsd` in total; false, changing nothing, if a budget does not cover it. */
  raise(nanoUsd: number): boolean;
  /** Ends the reservation; further calls do nothing. The actual cost is added by `spend`, in the ledger's transaction. */
  release(): void;
};

/** `refuse` throws; it is told what of the purse is spent, or reserved by others. */
type Answers = { refuse(purse: Purse, usedNanoUsd: number): never; forget(purse: Purse): void };

/** `find`: the purses that pay, as they are now. */
export const openReservation = (find: () => Purse[], { refuse, forget }: Answers): Reservation => {
  let touched: Purse[] = [];
  let held = 0;
  const current = (): Purse[] => {
    // Until something is reserved, another period may begin, and the purse of a user may be forgotten.
    if (held === 0) touched = find();
    return touched;
  };
  const lacking = (from: readonly Purse[], nanoUsd: number): Purse | undefined =>
    from.find((purse) => used(purse) + nanoUsd - held > (purse.budget?.nanoUsd ?? Number.POSITIVE_INFINITY));
  /** The purse that does not cover it, if there is one; else it is reserved. */
  const take = (nanoUsd: number): Purse | undefined => {
    const from = current();
    const short = lacking(from, nanoUsd);
    if (short !== undefined) return short;
    for (const purse of from) purse.reservedNanoUsd += nanoUsd - held;
    held = nanoUsd;
  };
  return {
    covers: (nanoUsd) => nanoUsd <= held || lacking(current(), nanoUsd) === undefined,
    raise: (nanoUsd) => nanoUsd <= held || take(nanoUsd) === undefined,
    require: (nanoUsd) => {
      // If nothing is reserved yet, an overdrawn budget refuses even what costs nothing.
      if (held > 0 && nanoUsd <= held) return;
      const short = take(nanoUsd);
      if (short !== undefined) refuse(short, used(short) - held);
    },
    release: () => {
      for (const purse of touched) {
        purse.reservedNanoUsd -= held;
        // There may be any number of users, refused ones too; what one has spent is read again.
        if (purse.payer.kind === "user") forget(purse);
      }
      touched = [];
      held = 0;
    },
  };
};

const used = ({ spentNanoUsd, reservedNanoUsd }: Purse): number => spentNanoUsd + reservedNanoUsd;
