/** Monthly budgets of keys: an estimate is reserved before a call and settled to what it cost, so that parallel calls cannot overdraw. */

import { ApiError } from "../api-error.ts";
import type { Db, Sql } from "../database/database.ts";
import { type Clock, createCalendar, nextUtcMonth } from "../lib/clock.ts";
import { usdText } from "../lib/money.ts";
import type { ApiKey } from "./api-key.ts";

export type Reservation = {
  /** As `raise`, but throws 429 `budget_exceeded`. */
  require(nanoUsd: number): void;
  /** Whether the budget covers a reservation of `nanoUsd` in total. */
  covers(nanoUsd: number): boolean;
  /** Raises the reservation to `nanoUsd` in total; false, changing nothing, if the budget does not cover it. */
  raise(nanoUsd: number): boolean;
  /** Ends the reservation; further calls do nothing. The actual cost is added by `spend`, in the ledger's transaction. */
  release(): void;
};

export type Budgets = {
  /** An empty reservation, for a call whose cost is not known yet. */
  open(key: ApiKey): Reservation;
  /** Throws 429 `budget_exceeded` if the key's budget does not cover the estimate. */
  reserve(key: ApiKey, estimateNanoUsd: number): Reservation;
  /** Call it within the transaction that writes the call, and `reread` if that transaction fails. */
  spend(sql: Sql, keyId: string, nanoUsd: number, atMs: number): void;
  /** Clears the cached figure and reads the file again. */
  reread(keyId: string, atMs: number): void;
  /** Spent in the current month, nano-USD. */
  spent(keyId: string): number;
  /** Per month, nano-USD, as of the key's latest reservation; null if the key has none. */
  limit(keyId: string): number | null;
};

export const createBudgets = (db: Db, clock: Clock): Budgets => {
  /** Spent and reserved by key and month; loaded at first use, then kept. */
  const accounts = new Map<string, { spent: number; reserved: number; limit: number | null }>();
  const calendar = createCalendar();
  const readSpent = (keyId: string, month: string): number =>
    db.get<{ spent: number }>("SELECT spent_nano_usd AS spent FROM key_spend WHERE key_id = ? AND month = ?", keyId, month)
      ?.spent ?? 0;
  const readLimit = (keyId: string): number | null =>
    db.get<{ budget: number | null }>("SELECT budget_nano_usd AS budget FROM api_keys WHERE id = ?", keyId)?.budget ?? null;
  const accountOf = (keyId: string, month: string) => {
    const name = `${month} ${keyId}`;
    let account = accounts.get(name);
    if (account === undefined) {
      // Earlier months only: a call that began before midnight must not take this month's reservations with it.
      for (const old of accounts.keys()) if (old < month) accounts.delete(old);
      // What a job spends for a key after a restart has no reservation.
      account = { spent: readSpent(keyId, month), reserved: 0, limit: readLimit(keyId) };
      accounts.set(name, account);
    }
    return account;
  };

  const open = (key: ApiKey): Reservation => {
    const account = accountOf(key.id, calendar.monthOf(clock.now()));
    account.limit = key.budgetNanoUsd;
    let held = 0;
    const hasRoom = (nanoUsd: number): boolean =>
      key.budgetNanoUsd === null || account.spent + account.reserved + nanoUsd - held <= key.budgetNanoUsd;
    const take = (nanoUsd: number): boolean => {
      if (!hasRoom(nanoUsd)) return false;
      account.reserved += nanoUsd - held;
      held = nanoUsd;
      return true;
    };
    return {
      covers: (nanoUsd) => nanoUsd <= held || hasRoom(nanoUsd),
      raise: (nanoUsd) => nanoUsd <= held || take(nanoUsd),
      require: (nanoUsd) => {
        // If nothing is reserved yet, an overdrawn budget refuses even what costs nothing.
        if ((held === 0 || nanoUsd > held) && !take(nanoUsd))
          throw budgetExceeded(key, account.spent + account.reserved - held, clock.now());
      },
      release: () => {
        account.reserved -= held;
        held = 0;
      },
    };
  };

  return {
    open,
    reserve: (key, estimateNanoUsd) => {
      const reservation = open(key);
      reservation.require(estimateNanoUsd);
      return reservation;
    },
    spend: (sql, keyId, nanoUsd, atMs) => {
      const month = calendar.monthOf(atMs);
      accountOf(keyId, month).spent += nanoUsd;
      sql.gather(addSpending, { keyId, month, nanoUsd });
    },
    reread: (keyId, atMs) => {
      const month = calendar.monthOf(atMs);
      accountOf(keyId, month).spent = readSpent(keyId, month);
    },
    spent: (keyId) => accountOf(keyId, calendar.monthOf(clock.now())).spent,
    limit: (keyId) => accountOf(keyId, calendar.monthOf(clock.now())).limit,
  };
};

type Spending = { keyId: string; month: string; nanoUsd: number };

/** One statement for each key, however many of its calls share the commit. */
const addSpending = (sql: Sql, all: Spending[]): void => {
  const sums = new Map<string, Spending>();
  for (const { keyId, month, nanoUsd } of all) {
    const name = `${month} ${keyId}`;
    sums.set(name, { keyId, month, nanoUsd: nanoUsd + (sums.get(name)?.nanoUsd ?? 0) });
  }
  for (const { keyId, month, nanoUsd } of sums.values()) {
    sql.run(
      `INSERT INTO key_spend (key_id, month, spent_nano_usd) VALUES (?, ?, ?)
       ON CONFLICT (key_id, month) DO UPDATE SET spent_nano_usd = spent_nano_usd + excluded.spent_nano_usd`,
      keyId,
      month,
      nanoUsd,
    );
  }
};

const budgetExceeded = (key: ApiKey, used: number, now: number): ApiError =>
  new ApiError(
    "budget_exceeded",
    `The monthly budget of key ${key.id} (${usdText(key.budgetNanoUsd ?? 0)} USD) does not cover this call; ${usdText(used)} USD of it is spent or reserved.`,
    { retryAfterSeconds: Math.ceil((nextUtcMonth(now) - now) / 1000), shouldRetry: false },
  );
