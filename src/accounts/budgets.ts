/** Budgets of keys: an estimate is reserved before a call and settled to what it cost, so that parallel calls cannot overdraw. */

import { ApiError } from "../api-error.ts";
import type { Db, Sql } from "../database/database.ts";
import { type Clock, createCalendar, DAY_MS, toIso } from "../lib/clock.ts";
import { usdText } from "../lib/money.ts";
import type { ProcessLog } from "../process-log.ts";
import type { ApiKey } from "./api-key.ts";
import { type PaidCall, warnOfBudget } from "./budget-alert.ts";
import { type BudgetPeriod, beginningOf, endOf, renewalOf } from "./budget-period.ts";
import { UNLIMITED } from "./key-terms.ts";

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

type Terms = Pick<ApiKey, "budgetNanoUsd" | "budgetPeriod">;
/** The days from `beginning` to before `end`. */
type Period = { beginning: string; end: string };
/** `spentNanoUsd`: in the current period. */
type Account = Terms & Period & { spentNanoUsd: number; reservedNanoUsd: number };

export type Budgets = {
  /** An empty reservation, for a call whose cost is not known yet. */
  open(key: ApiKey): Reservation;
  /** Throws 429 `budget_exceeded` if the key's budget does not cover the estimate. */
  reserve(key: ApiKey, estimateNanoUsd: number): Reservation;
  /** Call it within the transaction that writes the call. */
  spend(sql: Sql, call: PaidCall, nanoUsd: number): void;
  /** Spent in the current period, nano-USD. */
  spent(key: ApiKey): number;
};

const ADD_SPENDING = `INSERT INTO key_spend (key_id, day, spent_nano_usd) VALUES (?, ?, ?)
  ON CONFLICT (key_id, day) DO UPDATE SET spent_nano_usd = spent_nano_usd + excluded.spent_nano_usd`;

export const createBudgets = (db: Db, clock: Clock, log: ProcessLog): Budgets => {
  /** By key; loaded at first use, then kept. */
  const accounts = new Map<string, Account>();
  const calendar = createCalendar();
  const readSpent = (keyId: string, { beginning, end }: Period): number =>
    db.get<{ spent: number | null }>(
      "SELECT sum(spent_nano_usd) AS spent FROM key_spend WHERE key_id = ? AND day >= ? AND day < ?",
      keyId,
      beginning,
      end,
    )?.spent ?? 0;
  // What a job spends for a key after a restart has no reservation.
  const readTerms = (keyId: string): Terms =>
    db.get("SELECT budget_nano_usd AS budgetNanoUsd, budget_period AS budgetPeriod FROM api_keys WHERE id = ?", keyId) ??
    UNLIMITED;

  const accountOf = (keyId: string, terms?: Terms): Account => {
    const known = accounts.get(keyId);
    const { budgetNanoUsd, budgetPeriod } = terms ?? known ?? readTerms(keyId);
    const now = clock.now();
    const beginning = beginningOf(budgetPeriod, now, calendar);
    if (known?.budgetPeriod === budgetPeriod && known.beginning === beginning) {
      known.budgetNanoUsd = budgetNanoUsd;
      return known;
    }
    const period = { beginning, end: endOf(budgetPeriod, now) };
    const current = { budgetNanoUsd, budgetPeriod, ...period, spentNanoUsd: readSpent(keyId, period) };
    // In a new period, a call that began before it must not take the new one's reservations with it. Under changed terms, they all go on.
    const isNew = known === undefined || known.budgetPeriod === budgetPeriod;
    const account = isNew ? { ...current, reservedNanoUsd: 0 } : Object.assign(known, current);
    accounts.set(keyId, account);
    return account;
  };

  const open = (key: ApiKey): Reservation => {
    const account = accountOf(key.id, key);
    let held = 0;
    const hasRoom = (nanoUsd: number): boolean =>
      key.budgetNanoUsd === null || account.spentNanoUsd + account.reservedNanoUsd + nanoUsd - held <= key.budgetNanoUsd;
    const take = (nanoUsd: number): boolean => {
      if (!hasRoom(nanoUsd)) return false;
      account.reservedNanoUsd += nanoUsd - held;
      held = nanoUsd;
      return true;
    };
    return {
      covers: (nanoUsd) => nanoUsd <= held || hasRoom(nanoUsd),
      raise: (nanoUsd) => nanoUsd <= held || take(nanoUsd),
      require: (nanoUsd) => {
        // If nothing is reserved yet, an overdrawn budget refuses even what costs nothing.
        if ((held === 0 || nanoUsd > held) && !take(nanoUsd))
          throw budgetExceeded(key, account.spentNanoUsd + account.reservedNanoUsd - held, clock.now());
      },
      release: () => {
        account.reservedNanoUsd -= held;
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
    spend: (sql, call, nanoUsd) => {
      const { keyId, startedAtMs } = call;
      const day = calendar.dayOf(startedAtMs);
      const account = accountOf(keyId);
      sql.run(ADD_SPENDING, keyId, day, nanoUsd);
      if (day < account.beginning || day >= account.end) return;
      sql.afterCommit(() => {
        account.spentNanoUsd += nanoUsd;
        warnOfBudget(log, call, account, nanoUsd);
      });
    },
    spent: (key) => accountOf(key.id, key).spentNanoUsd,
  };
};

const ADJECTIVES: Record<BudgetPeriod, string> = { day: "daily", week: "weekly", month: "monthly", total: "total" };

const budgetExceeded = ({ id, budgetNanoUsd, budgetPeriod }: ApiKey, used: number, now: number): ApiError => {
  const renewedAtMs = renewalOf(budgetPeriod, now);
  const budget = `The ${ADJECTIVES[budgetPeriod]} budget of key ${id} (${usdText(budgetNanoUsd ?? 0)} USD)`;
  const renewal = renewedAtMs === null ? "It does not begin anew." : `It begins anew at ${toIso(renewedAtMs)}.`;
  return new ApiError(
    "budget_exceeded",
    `${budget} does not cover this call; ${usdText(used)} USD of it is spent or reserved. ${renewal}`,
    // Only its owner can raise a budget that is never renewed.
    { retryAfterSeconds: ((renewedAtMs ?? now + DAY_MS) - now) / 1000, shouldRetry: false },
  );
};
