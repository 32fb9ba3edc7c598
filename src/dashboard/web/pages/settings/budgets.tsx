/** What the project, and each of its users, may spend. */

import { useState } from "preact/hooks";
import type { ProjectSettingsBody } from "../../../wire.ts";
import { usd, when } from "../../format.ts";
import { NumberField, type Option, optionsOf, SelectField } from "../../parts/controls.tsx";
import { Meter } from "../../parts/figures.tsx";
import { Form } from "../../parts/form.tsx";
import { Card } from "../../parts/page.tsx";
import { mode, project } from "../../state.ts";
import type { UsageAnswer } from "../../wire.ts";
import { saveSettings } from "./save-settings.ts";

type Name = "budget" | "user_budget";
type Period = NonNullable<ProjectSettingsBody[Name]>["period"];

const PERIODS = optionsOf({ day: "A day", week: "A week, from Monday", month: "A month", total: "In total" });

export const Budgets = ({ used, onSaved }: { used: UsageAnswer["project_budget"] | undefined; onSaved: () => Promise<void> }) => (
  <div class="columns">
    <Card title="Budget of the project" note="What all of its keys may spend together, live and test counted apart.">
      <div class="stack">
        <BudgetForm name="budget" periods={PERIODS} onSaved={onSaved} />
        {used && <Spent {...used} />}
      </div>
    </Card>
    <Card
      title="Budget of each user"
      note="Whom a call names as its user, or the header that the settings name. Counts what is spent from now on."
    >
      <BudgetForm name="user_budget" periods={PERIODS.filter(({ value }) => value !== "total")} onSaved={onSaved} />
    </Card>
  </div>
);

const Spent = ({ usd: budget, used_usd, resets_at }: NonNullable<UsageAnswer["project_budget"]>) => (
  <p class="small muted">
    {usd(used_usd)} spent ({mode.value}){resets_at !== null && `, begins anew ${when(resets_at)}`}
    {budget !== null && budget > 0 && <Meter share={used_usd / budget} label={`${usd(used_usd)} of ${usd(budget)} spent`} />}
  </p>
);

type FormProps = { name: Name; periods: Option[]; onSaved: () => Promise<void> };

const BudgetForm = ({ name, periods, onSaved }: FormProps) => {
  const stored = project.value!.settings[name];
  const [amount, setAmount] = useState<number | null>(stored?.usd ?? null);
  const [period, setPeriod] = useState<string>(stored?.period ?? "month");
  const save = async () => {
    const budget = amount === null ? null : { usd: amount, period: period as Period };
    if (await saveSettings({ [name]: budget }, "The budget holds from now on.")) await onSaved();
  };
  return (
    <Form class="stack tight" onSubmit={save}>
      <div class="form-grid">
        <NumberField label="USD" value={amount} onChange={setAmount} min={0} placeholder="no bound" />
        <SelectField label="For" value={period} onChange={setPeriod} options={periods} />
      </div>
      <div class="row">
        <button type="submit" class="button">
          Save
        </button>
      </div>
    </Form>
  );
};
