/** Reads the terms of a key from a command line. Throws UsageError. */

import { SCOPES } from "../../accounts/api-key.ts";
import { BUDGET_PERIODS } from "../../accounts/budget-period.ts";
import { readModels } from "../../accounts/key-models.ts";
import { FURTHEST_MS, type KeyTerms, MOST_PER_MINUTE, parseExpiry } from "../../accounts/key-terms.ts";
import type { Config } from "../../config/config.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/clock.ts";
import { type Given, readCount, requireName, requireWord, requireWords, UsageError, wordsOf } from "../command.ts";
import { withModels } from "../with-platform.ts";
import { readBudget } from "./read-budget.ts";

/** Those that the command line names. `none` takes a term away. */
export const readTerms = async ({ values }: Given, config: Config, now: number): Promise<Partial<KeyTerms>> => {
  const read = <Value>(option: string, from: (text: string, option: string) => Value): Value | null | undefined => {
    const text = values[option];
    return text === undefined ? undefined : text === "none" ? null : from(text, `--${option}`);
  };
  const period = values["budget-period"];
  const given = {
    name: values.name === undefined ? undefined : requireName("--name", values.name),
    scopes: read("scopes", (text, option) => requireWords(option, text, SCOPES)),
    budgetNanoUsd: read("budget", readBudget),
    budgetPeriod: period === undefined ? undefined : requireWord("--budget-period", period, BUDGET_PERIODS),
    requestsPerMinute: read("requests-per-minute", readPerMinute),
    tokensPerMinute: read("tokens-per-minute", readPerMinute),
    expiresAtMs: read("expires", (text) => readExpiry(text, now)),
    // Last, because the catalog is made for it.
    models: await read("models", (text) => findModels(text, config)),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
};

const UNITS: Record<string, number> = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** `30d`, `12h`, or an ISO date that lies ahead. */
const readExpiry = (text: string, now: number): number => {
  const [, amount, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const at = amount !== undefined ? now + Number(amount) * UNITS[unit!]! : parseExpiry(text);
  if (!(at <= FURTHEST_MS)) throw new UsageError(`--expires is "${text}"; it may be like 30d, 12h or an ISO date.`);
  if (at <= now) throw new UsageError(`--expires is "${text}", which has passed.`);
  return at;
};

const readPerMinute = (text: string, option: string): number => readCount(option, text, MOST_PER_MINUTE);

/** Also models that the dashboard added, and those of local servers. */
const findModels = (text: string, config: Config): Promise<string[]> =>
  withModels(config, async (platform) => {
    const complain = (problem: string) => new UsageError(`--models: ${problem}`);
    return readModels(platform.catalog, config.file, wordsOf(text), complain);
  });
