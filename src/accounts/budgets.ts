/**
 * Budgets of keys, projects and users: an estimate is reserved from each of them before a call, and settled to what it cost, so that
 * parallel calls cannot overdraw any.
 */

import { ApiError } from "../api-error.ts";
import type { Db, Sql } from "../database/database.ts";
import { type Clock, createCalendar, DAY_MS, toIso } from "../lib/clock.ts";
import { digest } from "../lib/digest.ts";
import { usdText } from "../lib/money.ts";
import type { ProcessLog } from "../process-log.ts";
import type { ApiKey, Mode } from "./api-key.ts";
import type { Caller } from "./authenticate.ts";
import { warnOfBudget, warnOfRefusal } from "./budget-alert.ts";
import { type BudgetPeriod, renewalOf } from "./budget-period.ts";
import type { ProjectSettings } from "./project.ts";
import { createPurses, type Days, type Purse } from "./purses.ts";
import { openReservation, type Reservation } from "./reservation.ts";
import { addSpendingOfKey, addSpendingOfUser, spentByKey, spentByUser } from "./spending-store.ts";

/** Who pays for a call: the key, and the project and the user where the project has budgets for them. */
export type Payers = Pick<Caller, "key" | "project" | "mode" | "userId">;

/** A call that cost something. */
export type PaidCall = { keyId: string; projectId: string; mode: Mode; userId?: string | null; startedAtMs: number };

export type Budgets = {
  /** An empty reservation, for a call whose cost is not known yet. */
  open(payers: Payers): Reservation;
  /** Throws 429 `budget_exceeded` if a budget does not cover the estimate. */
  reserve(payers: Payers, estimateNanoUsd: number): Reservation;
  /** Call it within the transaction that writes the call. `settings`: the project's. */
  spend(sql: Sql, call: PaidCall, nanoUsd: number, settings: ProjectSettings): void;
  /** Spent by the key in the current period of its budget, nano-USD. */
  spent(key: ApiKey): number;
  /** Of the project and of the user, where the project has budgets for them. */
  shared(payers: Payers): { project: Purse | undefined; user: Purse | undefined };
};

/** Reads from the ledger's sums what a project has spent in some days. */
export type SpentByProject = (projectId: string, mode: Mode, days: Days) => number;

const projectPayer = (projectId: string, mode: Mode): string => `${projectId} ${mode}`;
const userPayer = (projectId: string, mode: Mode, user: string): string => `${projectId} ${mode} ${user}`;

export const createBudgets = (db: Db, clock: Clock, log: ProcessLog, spentByProject: SpentByProject): Budgets => {
  const purses = createPurses(clock);
  const calendar = createCalendar();

  const ofKey = ({ id, budgetNanoUsd: nanoUsd, budgetPeriod: period }: ApiKey): Purse => {
    const budget = nanoUsd === null ? null : { nanoUsd, period };
    return purses.of({ payer: { kind: "key", id, name: `key ${id}` }, budget, period }, (days) => spentByKey(db, id, days));
  };
  const ofProject = ({ project, mode }: Payers): Purse | undefined => {
    const { budget } = project.settings;
    if (budget === undefined) return undefined;
    const payer = { kind: "project", id: projectPayer(project.id, mode), name: `project ${project.name}` } as const;
    return purses.of({ payer, budget, period: budget.period }, (days) => spentByProject(project.id, mode, days));
  };
  const ofUser = ({ project, mode, userId }: Payers): Purse | undefined => {
    const budget = project.settings.userBudget;
    if (budget === undefined || userId === undefined) return undefined;
    const user = digest(userId);
    const payer = { kind: "user", id: userPayer(project.id, mode, user), name: `user ${JSON.stringify(userId)}` } as const;
    const spender = { projectId: project.id, mode, user };
    return purses.of({ payer, budget, period: budget.period }, (days) => spentByUser(db, spender, days));
  };
  const pursesOf = (payers: Payers): Purse[] =>
    [ofKey(payers.key), ofProject(payers), ofUser(payers)].filter((purse) => purse !== undefined);

  const open = (payers: Payers): Reservation =>
    openReservation(() => pursesOf(payers), {
      forget: purses.forget,
      refuse: (purse, usedNanoUsd) => {
        warnOfRefusal(log, { projectId: payers.project.id, mode: payers.mode }, purse);
        throw budgetExceeded(purse, usedNanoUsd, clock.now());
      },
    });

  return {
    open,
    reserve: (payers, estimateNanoUsd) => {
      const reservation = open(payers);
      try {
        reservation.require(estimateNanoUsd);
      } catch (error) {
        reservation.release();
        throw error;
      }
      return reservation;
    },
    spend: (sql, call, nanoUsd, { userBudget }) => {
      const { keyId, projectId, mode, userId } = call;
      const day = calendar.dayOf(call.startedAtMs);
      addSpendingOfKey(sql, keyId, day, nanoUsd);
      const payers = [keyId, projectPayer(projectId, mode)];
      if (userBudget !== undefined && typeof userId === "string") {
        const user = digest(userId);
        addSpendingOfUser(sql, { projectId, mode, user }, day, nanoUsd);
        payers.push(userPayer(projectId, mode, user));
      }
      // A purse that is not known by now will be read with this call in it.
      const known = payers.flatMap((id) => purses.known(id) ?? []).filter(({ beginning, end }) => day >= beginning && day < end);
      sql.afterCommit(() => {
        for (const purse of known) {
          purse.spentNanoUsd += nanoUsd;
          warnOfBudget(log, call, purse, nanoUsd);
        }
      });
    },
    spent: (key) => ofKey(key).spentNanoUsd,
    shared: (payers) => {
      const user = ofUser(payers);
      if (user !== undefined) purses.forget(user);
      return { project: ofProject(payers), user };
    },
  };
};

const ADJECTIVES: Record<BudgetPeriod, string> = { day: "daily", week: "weekly", month: "monthly", total: "total" };

const budgetExceeded = ({ payer, budget, period }: Purse, usedNanoUsd: number, now: number): ApiError => {
  const renewedAtMs = renewalOf(period, now);
  const whose = `The ${ADJECTIVES[period]} budget of ${payer.name} (${usdText(budget?.nanoUsd ?? 0)} USD)`;
  const renewal = renewedAtMs === null ? "It does not begin anew." : `It begins anew at ${toIso(renewedAtMs)}.`;
  return new ApiError(
    "budget_exceeded",
    `${whose} does not cover this call; ${usdText(usedNanoUsd)} USD of it is spent or reserved. ${renewal}`,
    // Only its owner can raise a budget that is never renewed.
    { retryAfterSeconds: ((renewedAtMs ?? now + DAY_MS) - now) / 1000, shouldRetry: false },
  );
};
