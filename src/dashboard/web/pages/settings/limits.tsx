/** The project's budgets, its usage of its limits, and its own limits in place of the tier's. */

import { useState } from "preact/hooks";
import type { GroupLimits } from "../../../wire.ts";
import { DASH, number, short, usd, when } from "../../format.ts";
import { Check, NumberField } from "../../parts/controls.tsx";
import { Dialog, Opens } from "../../parts/dialog.tsx";
import { Figure, Meter } from "../../parts/figures.tsx";
import { Badge } from "../../parts/lamp.tsx";
import { Problem, say } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { changeProject, refreshProjects } from "../../refresh-projects.ts";
import { hrefTo } from "../../router.ts";
import { apiPath, mode, type Project, project } from "../../state.ts";
import { useGet } from "../../use-load.ts";
import { useSubmit } from "../../use-submit.ts";
import type { UsageAnswer } from "../../wire.ts";
import { Budgets } from "./budgets.tsx";
import { saveSettings } from "./save-settings.ts";

type Group = keyof Project["tier_limits"]["groups"];

export const LimitSettings = () => {
  const { settings, tier_limits } = project.value!;
  const usage = useGet<UsageAnswer>(apiPath("/v1/usage"));
  const { data } = usage;
  return (
    <>
      <Pending of={usage} height={92} />
      {data && (
        <div class="figures">
          <Figure
            name="Calls today"
            value={short(data.day.calls)}
            note={`${short(data.day.tokens)} tokens`}
            href={hrefTo("calls")}
          />
          <Figure name="Cost today" value={usd(data.day.cost_usd)} note="UTC day" />
          <Figure
            name="Calls this month"
            value={short(data.month.calls)}
            note={
              tier_limits.requests_per_month === null
                ? `${short(data.month.tokens)} tokens`
                : `${short(data.month.tokens)} tokens, quota ${short(tier_limits.requests_per_month)} requests`
            }
          />
          <Figure name="Cost this month" value={usd(data.month.cost_usd)} note="UTC month" />
        </div>
      )}
      <Budgets used={data?.project_budget} onSaved={usage.reload} />
      <Card flush title="Limits" note={`Over all keys of the project; live and test are counted apart. Shown: ${mode.value}.`}>
        <Table
          class="stacked"
          label="Limits"
          columns={columnsFor(data?.limits ?? {}, usage.reload)}
          rows={Object.keys(tier_limits.groups) as Group[]}
          keyOf={(group) => group}
        />
      </Card>
      {tier_limits.requests_per_month !== null && (
        <Card>
          <Check
            label="Enforce the monthly quota"
            hint={`Refuse calls above ${number(tier_limits.requests_per_month)} a month. Otherwise it is only reported.`}
            checked={settings.enforce_monthly_quota}
            onChange={(on) => saveSettings({ enforce_monthly_quota: on })}
          />
        </Card>
      )}
    </>
  );
};

/** What else counts in a group, or in what it counts, where its name does not tell. */
const NOTES: { [group in Group]?: string } = {
  embeddings: "and rankings, moderations",
  images: "made and edited",
  transcription: "and translation, minutes of audio",
};

const figure = (value: number | null): string => (value === null ? "no limit" : short(value));

/** The limits of a group that hold: the tier's, with the project's own in their place. */
const limitsOf = (group: Group): GroupLimits => {
  const { tier_limits, settings } = project.value!;
  return { ...tier_limits.groups[group], ...settings.limits[group] };
};

/** A dash where nothing of the kind is counted. */
const Limit = ({ value }: { value: number | null | undefined }) =>
  value === undefined ? DASH : <span class={value === null ? "muted small" : ""}>{figure(value)}</span>;

const columnsFor = (usage: UsageAnswer["limits"], onSaved: () => Promise<void>): Column<Group>[] => [
  {
    head: "Group",
    class: "name",
    cell: (group) => (
      <>
        {group}
        {NOTES[group] && <span class="small muted"> {NOTES[group]}</span>}{" "}
        {Object.keys(project.value!.settings.limits[group] ?? {}).length > 0 && <Badge tone="slate">own figures</Badge>}
      </>
    ),
  },
  { head: "A minute", class: "number", cell: (group) => <Limit value={limitsOf(group).per_minute} /> },
  { head: "A day", class: "number", cell: (group) => <Limit value={limitsOf(group).per_day} /> },
  { head: "At once", class: "number", cell: (group) => <Limit value={limitsOf(group).concurrent} /> },
  { head: "Used", class: "used", cell: (group) => usage[group] && <Used {...usage[group]} /> },
  {
    head: "Resets",
    class: "nowrap",
    cell: (group) => (usage[group]?.resets_at && usage[group].used > 0 ? when(usage[group].resets_at) : DASH),
  },
  {
    head: "Change",
    hidden: true,
    class: "right",
    cell: (group) => (
      <Opens class="button small" label="Change" name={`Change the limits of ${group}`}>
        {(close) => <EditLimits group={group} onClose={close} onSaved={onSaved} />}
      </Opens>
    ),
  },
];

const Used = ({ used, limit }: UsageAnswer["limits"][string]) => (
  <>
    {short(used)}
    {limit !== null && ` of ${short(limit)}`}
    {limit !== null && limit > 0 && <Meter share={used / limit} label={`${used} of ${limit} used`} />}
  </>
);

type EditProps = { group: Group; onClose: () => void; onSaved: () => Promise<void> };

const EditLimits = ({ group, onClose, onSaved }: EditProps) => {
  const { id, settings, tier_limits, tier } = project.value!;
  const ofTier = tier_limits.groups[group];
  const [own, setOwn] = useState<GroupLimits>(settings.limits[group] ?? {});
  const store = async (limits: GroupLimits) => {
    // Those of other groups may have been changed elsewhere meanwhile.
    await refreshProjects();
    const { [group]: _, ...others } = project.value!.settings.limits;
    const next = Object.keys(limits).length === 0 ? others : { ...others, [group]: limits };
    await changeProject(id, { settings: { limits: next } });
    await onSaved();
    say("The limits hold from now on.");
    onClose();
  };
  const save = useSubmit(() => store(own));
  const clear = useSubmit(() => store({}));
  const busy = save.busy || clear.busy;
  const failure = save.failure ?? clear.failure;
  const field = (name: keyof GroupLimits, label: string) =>
    ofTier[name] !== undefined && (
      <NumberField
        label={label}
        value={own[name] ?? null}
        min={0}
        step={1}
        placeholder={`tier: ${figure(ofTier[name])}`}
        onChange={(value) => {
          const { [name]: _, ...rest } = own;
          setOwn(value === null ? rest : { ...rest, [name]: Math.round(value) });
        }}
      />
    );
  return (
    <Dialog
      title={`Limits of ${group}`}
      onClose={onClose}
      onSubmit={save.submit}
      footer={
        <>
          <button type="button" class="button quiet" onClick={clear.submit} disabled={busy}>
            Back to the tier's
          </button>
          <button type="submit" class="button primary" disabled={busy}>
            Save
          </button>
        </>
      }
    >
      {failure && <Problem failure={failure} />}
      <p class="muted">An empty field leaves the figure of the {tier} tier.</p>
      <div class="form-grid">
        {field("per_minute", "A minute")}
        {field("per_day", "A day")}
        {field("concurrent", "At once")}
      </div>
    </Dialog>
  );
};
