/** The project's usage of its limits, and its own limits in place of the tier's. */

import { useState } from "preact/hooks";
import type { GroupLimits } from "../../../wire.ts";
import { get } from "../../api.ts";
import { number, short, usd, when } from "../../format.ts";
import { Check, NumberField } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Badge } from "../../parts/lamp.tsx";
import { attempt, Problem, Skeleton, say } from "../../parts/notice.tsx";
import { Card, Figure, Meter, Scroll } from "../../parts/page.tsx";
import { changeProject } from "../../refresh-projects.ts";
import { hrefTo } from "../../router.ts";
import { apiPath, mode, type Project, project } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import { useSubmit } from "../../use-submit.ts";
import type { UsageAnswer } from "../../wire.ts";

type Group = keyof Project["tier_limits"]["groups"];

export const LimitSettings = () => {
  const { id, settings, tier_limits } = project.value!;
  const { data, failure, reload } = useLoad(`usage ${id} ${mode.value}`, (signal) =>
    get<UsageAnswer>(apiPath("/v1/usage"), signal),
  );
  const [editing, setEditing] = useState<Group | null>(null);
  return (
    <>
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={92} />}
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
      <Card flush title="Limits" note={`Over all keys of the project; live and test are counted apart. Shown: ${mode.value}.`}>
        <Scroll label="Limits">
          <table class="stacked">
            <thead>
              <tr>
                <th>Group</th>
                <th class="number">A minute</th>
                <th class="number">A day</th>
                <th class="number">At once</th>
                <th>Used</th>
                <th>Resets</th>
                <th>
                  <span class="visually-hidden">Change</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {(Object.keys(tier_limits.groups) as Group[]).map((group) => (
                <GroupLine key={group} group={group} usage={data?.limits[group]} onEdit={() => setEditing(group)} />
              ))}
            </tbody>
          </table>
        </Scroll>
      </Card>
      {tier_limits.requests_per_month !== null && (
        <Card>
          <Check
            label="Enforce the monthly quota"
            hint={`Refuse calls above ${number(tier_limits.requests_per_month)} a month. Otherwise it is only reported.`}
            checked={settings.enforce_monthly_quota}
            onChange={(on) => attempt(() => changeProject(id, { settings: { enforce_monthly_quota: on } }))}
          />
        </Card>
      )}
      {editing && <EditLimits group={editing} onClose={() => setEditing(null)} onSaved={reload} />}
    </>
  );
};

const Figures = ({ value }: { value: number | null | undefined }) => (
  <span class={value == null ? "muted small" : ""}>{figure(value)}</span>
);

const figure = (value: number | null | undefined): string => (value == null ? "no limit" : short(value));

const GroupLine = ({
  group,
  usage,
  onEdit,
}: {
  group: Group;
  usage: UsageAnswer["limits"][string] | undefined;
  onEdit: () => void;
}) => {
  const { tier_limits, settings } = project.value!;
  const own = settings.limits[group];
  const limits: GroupLimits = { ...tier_limits.groups[group], ...own };
  return (
    <tr>
      <td class="name">
        {group}
        {group === "transcription" && <span class="small muted"> minutes of audio</span>}{" "}
        {own && Object.keys(own).length > 0 && <Badge tone="slate">own figures</Badge>}
      </td>
      <td data-label="A minute" class="number">
        <Figures value={limits.per_minute} />
      </td>
      <td data-label="A day" class="number">
        <Figures value={limits.per_day} />
      </td>
      <td data-label="At once" class="number">
        <Figures value={limits.concurrent} />
      </td>
      <td data-label="Used" class="used">
        {usage && (
          <>
            {short(usage.used)}
            {usage.limit !== null && ` of ${short(usage.limit)}`}
            {usage.limit !== null && usage.limit > 0 && (
              <Meter share={usage.used / usage.limit} label={`${usage.used} of ${usage.limit} used`} />
            )}
          </>
        )}
      </td>
      <td data-label="Resets" class="nowrap">
        {usage?.resets_at && usage.used > 0 ? when(usage.resets_at) : "–"}
      </td>
      <td class="right">
        <button type="button" class="button small" onClick={onEdit} aria-label={`Change the limits of ${group}`}>
          Change
        </button>
      </td>
    </tr>
  );
};

type EditProps = { group: Group; onClose: () => void; onSaved: () => Promise<void> };

const EditLimits = ({ group, onClose, onSaved }: EditProps) => {
  const { id, settings, tier_limits, tier } = project.value!;
  const [own, setOwn] = useState<Partial<GroupLimits>>(settings.limits[group] ?? {});
  const store = async (limits: Partial<GroupLimits>) => {
    const { [group]: _, ...others } = settings.limits;
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
  const field = (name: keyof GroupLimits, label: string) => (
    <NumberField
      label={label}
      value={own[name] ?? null}
      min={0}
      step={1}
      placeholder={`tier: ${figure(tier_limits.groups[group][name])}`}
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
