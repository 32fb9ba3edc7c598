/** The cost of this month or an earlier one by key, user and model; each entry links to its calls. */

import type { KeyRow } from "../../../wire.ts";
import { get } from "../../api.ts";
import { monthName, plural, usd } from "../../format.ts";
import { Segmented, SelectField } from "../../parts/controls.tsx";
import { Bars } from "../../parts/figures.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { hrefTo, queryOf, setQuery } from "../../router.ts";
import { serverNow } from "../../server-clock.ts";
import { apiPath } from "../../state.ts";
import { loadKeys } from "../../use-keys.ts";
import { FRESH_FOR_MS, useEvery, useLoad } from "../../use-load.ts";
import type { UsageAnswer } from "../../wire.ts";

const GROUPINGS = [
  { value: "key", label: "Key", filter: "key_id", nobody: "no key" },
  { value: "user", label: "User", filter: "user_id", nobody: "no user named" },
  { value: "model", label: "Model", filter: "model", nobody: "no model" },
] as const;
type Grouping = (typeof GROUPINGS)[number];
/** A group has its key, user or model in the field named after the grouping. */
type Group = NonNullable<UsageAnswer["groups"]>[number] & { [by in Grouping["value"]]?: string | null };

const MOST = 8;
const HALF_A_NANO_USD = 0.5e-9;

const MONTHS_OFFERED = 12;

/** `2026-11` and those before it, the latest first, by the server's clock. */
const monthsOffered = (): string[] => {
  const now = new Date(serverNow());
  return Array.from({ length: MONTHS_OFFERED }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  );
};

/** The UTC days of a month, as the list of calls takes them. */
const daysOf = (month: string) => {
  const end = new Date(`${month}-01`);
  end.setUTCMonth(end.getUTCMonth() + 1, 0);
  return { start_date: `${month}-01`, end_date: end.toISOString().slice(0, 10) };
};

type Month = { month: string; usage: UsageAnswer; keys: KeyRow[] };

const load = async ({ value }: Grouping, month: string, signal: AbortSignal): Promise<Month> => {
  const [usage, keys] = await Promise.all([
    get<UsageAnswer>(apiPath(`/v1/usage?group_by=${value}&month=${month}`), signal),
    value === "key" ? loadKeys(signal) : [],
  ]);
  return { month, usage, keys };
};

export const MonthCost = () => {
  const by = GROUPINGS.find(({ value }) => value === queryOf("by")) ?? GROUPINGS[0];
  const offered = monthsOffered();
  const running = offered[0]!;
  const month = offered.find((one) => one === queryOf("month")) ?? running;
  const sums = useLoad(`month ${by.value} ${month}`, (signal) => load(by, month, signal));
  useEvery(FRESH_FOR_MS, sums.reload);
  return (
    <Card
      title={month === running ? "Cost this month" : `Cost in ${monthName(month)}`}
      note="UTC days, most expensive first."
      busy={sums.data !== null && (sums.data.usage.group_by !== by.value || sums.data.month !== month)}
      actions={
        <>
          <SelectField
            label="Month"
            value={month}
            onChange={(value) => setQuery({ month: value === running ? null : value })}
            options={offered.map((value) => ({ value, label: monthName(value) }))}
          />
          <Segmented
            label="Cost by"
            value={by.value}
            onChange={(value) => setQuery({ by: value === "key" ? null : value })}
            options={GROUPINGS.map(({ value, label }) => ({ value, label }))}
          />
        </>
      }
    >
      <Pending of={sums} height={160} />
      {sums.data && <Groups {...sums.data} />}
    </Card>
  );
};

const Groups = ({ month, usage, keys }: Month) => {
  const by = GROUPINGS.find(({ value }) => value === usage.group_by)!;
  const groups = ((usage.groups ?? []) as Group[]).map((group) => ({ ...group, name: group[by.value] ?? null }));
  if (groups.length === 0) return <p class="muted">No calls in {monthName(month)}.</p>;
  const shown = groups.slice(0, MOST);
  const left = usage.month.cost_usd - shown.reduce((sum, { cost_usd }) => sum + cost_usd, 0);
  const nameOf = (name: string | null): string => {
    if (name === null) return by.nobody;
    if (by.value !== "key") return name;
    const key = keys.find(({ id }) => id === name);
    return key ? `${key.name} …${key.last_four}` : name === "dashboard" ? "this dashboard" : name;
  };
  return (
    <div class="stack tight">
      <Bars
        items={shown.map(({ name, calls, cost_usd }) => ({
          name: nameOf(name),
          value: cost_usd,
          text: `${usd(cost_usd)} · ${plural(calls, "call")}`,
          ...(name !== null && {
            href: hrefTo("calls", null, { [by.filter]: name, ...daysOf(month), sort_by: "cost" }),
          }),
        }))}
      />
      <p class="small muted">
        {left > HALF_A_NANO_USD && `The rest, and calls no longer in the log: ${usd(left)}. `}
        Together {usd(usage.month.cost_usd)} for {plural(usage.month.calls, "call")}.
      </p>
    </div>
  );
};
