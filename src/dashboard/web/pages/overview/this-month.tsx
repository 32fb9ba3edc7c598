/** This month's cost by key, user and model; each entry links to its calls. */

import type { KeyRow } from "../../../wire.ts";
import { get } from "../../api.ts";
import { plural, usd } from "../../format.ts";
import { Segmented } from "../../parts/controls.tsx";
import { Bars } from "../../parts/figures.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { hrefTo, queryOf, setQuery } from "../../router.ts";
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

/** The first day of the counted month, by the server's clock. */
const monthOf = ({ quota }: UsageAnswer): string => {
  const end = new Date(quota.resets_at);
  return new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1)).toISOString().slice(0, 10);
};

const load = async ({ value }: Grouping, signal: AbortSignal) => {
  const [usage, keys] = await Promise.all([
    get<UsageAnswer>(apiPath(`/v1/usage?group_by=${value}`), signal),
    value === "key" ? loadKeys(signal) : [],
  ]);
  return { usage, keys };
};

export const ThisMonth = () => {
  const by = GROUPINGS.find(({ value }) => value === queryOf("by")) ?? GROUPINGS[0];
  const month = useLoad(`month ${by.value}`, (signal) => load(by, signal));
  useEvery(FRESH_FOR_MS, month.reload);
  return (
    <Card
      title="Cost this month"
      note="Since the first of the month (UTC), most expensive first."
      busy={month.data !== null && month.data.usage.group_by !== by.value}
      actions={
        <Segmented
          label="Cost by"
          value={by.value}
          onChange={(value) => setQuery({ by: value === "key" ? null : value })}
          options={GROUPINGS.map(({ value, label }) => ({ value, label }))}
        />
      }
    >
      <Pending of={month} height={160} />
      {month.data && <Groups {...month.data} />}
    </Card>
  );
};

const Groups = ({ usage, keys }: { usage: UsageAnswer; keys: KeyRow[] }) => {
  const by = GROUPINGS.find(({ value }) => value === usage.group_by)!;
  const groups = ((usage.groups ?? []) as Group[]).map((group) => ({ ...group, name: group[by.value] ?? null }));
  if (groups.length === 0) return <p class="muted">No calls yet this month.</p>;
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
            href: hrefTo("calls", null, { [by.filter]: name, start_date: monthOf(usage), sort_by: "cost" }),
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
