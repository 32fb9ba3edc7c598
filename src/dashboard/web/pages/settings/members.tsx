/** The members of the team: who signs in with a name of their own, and what they may do. */

import { useState } from "preact/hooks";
import type { Invitation, MemberRow } from "../../../wire.ts";
import { call } from "../../api.ts";
import { ADDRESS } from "../../base-path.ts";
import { day } from "../../format.ts";
import { nameProblem, optionsOf, Segmented, TextField } from "../../parts/controls.tsx";
import { AskFirst, FormDialog, Opens } from "../../parts/dialog.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { attempt, Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { ShownOnceDialog } from "../../parts/shown-once.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { isViewer } from "../../state.ts";
import { useForm } from "../../use-form.ts";
import { useGet } from "../../use-load.ts";

type Actions = { onInvited: (invitation: Invitation) => void; reload: () => Promise<void> };

export const MemberSettings = () => {
  const members = useGet<{ members: MemberRow[] }>("/members");
  const [invited, setInvited] = useState<Invitation | null>(null);
  const actions: Actions = {
    reload: members.reload,
    onInvited: (invitation) => {
      setInvited(invitation);
      void members.reload();
    },
  };
  const rows = members.data?.members;
  return (
    <Card
      flush
      title="Members"
      note="They see all projects. An admin may do everything, a viewer changes nothing and calls no model."
      actions={
        !isViewer.value && (
          <Opens class="button primary" icon="plus" label="Invite somebody">
            {(close) => <Invite onClose={close} {...actions} />}
          </Opens>
        )
      }
    >
      <Pending of={members} height={120} />
      {rows?.length === 0 && (
        <Empty title="Nobody yet">
          <p>Whoever is invited here signs in with a name and a password of their own, and can be removed again.</p>
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <Table class="stacked" label="Members" columns={columnsFor(actions)} rows={rows} keyOf={({ name }) => name} />
      )}
      {invited && (
        <ShownOnceDialog
          title={`The link for ${invited.member.name}`}
          lead={`Send it to ${invited.member.name}: it sets their password, once, within a week.`}
          text={`${ADDRESS}/dashboard/invitation?token=${invited.token}`}
          copy="Copy link"
          onClose={() => setInvited(null)}
        />
      )}
    </Card>
  );
};

const columnsFor = (actions: Actions): Column<MemberRow>[] => [
  { head: "Name", class: "name", cell: ({ name }) => name },
  {
    head: "Role",
    cell: (member) => (isViewer.value ? ROLES[member.role] : <RoleChoice member={member} reload={actions.reload} />),
  },
  { head: "State", cell: ({ state }) => <Lamp tone={TONES[state]}>{STATES[state]}</Lamp> },
  { head: "Since", class: "nowrap", cell: ({ created_at }) => day(created_at) },
  ...(isViewer.value
    ? []
    : [
        {
          head: "Actions",
          hidden: true,
          class: "right",
          cell: (member: MemberRow) => <Buttons member={member} {...actions} />,
        },
      ]),
];

const TONES = { active: "green", invited: "amber", expired: "off" } as const;
const STATES = { active: "has a password", invited: "invited", expired: "invitation is too old" };
const ROLES = { admin: "Admin", viewer: "Viewer" };

const RoleChoice = ({ member: { name, role }, reload }: { member: MemberRow; reload: Actions["reload"] }) => (
  <select
    class="in-table"
    aria-label={`Role of ${name}`}
    value={role}
    onChange={async ({ currentTarget: select }) => {
      const chosen = select.value as MemberRow["role"];
      const went = await attempt(() => call("PATCH", pathOf(name), { role: chosen }), `${name} is ${chosen} now.`);
      if (!went) select.value = role;
      await reload();
    }}
  >
    {optionsOf(ROLES).map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);

const Buttons = ({ member: { name }, onInvited, reload }: Actions & { member: MemberRow }) => (
  <>
    <button
      type="button"
      class="button small"
      aria-label={`New link for ${name}`}
      onClick={() => attempt(async () => onInvited(await call<Invitation>("POST", `${pathOf(name)}/invitation`, {})))}
    >
      New link
    </button>{" "}
    <AskFirst
      class="button small danger"
      label="Remove"
      name={`Remove ${name}`}
      title={`Remove “${name}”?`}
      action="Remove"
      done={`${name} is removed.`}
      onConfirm={() => call("DELETE", pathOf(name)).finally(reload)}
    >
      {name} is signed out at once. API keys stay as they are.
    </AskFirst>
  </>
);

const pathOf = (name: string): string => `/members/${encodeURIComponent(name)}`;

const Invite = ({ onClose, onInvited }: Actions & { onClose: () => void }) => {
  const form = useForm({ name: "", role: "viewer" }, async ({ name, role }) => {
    const invitation = await call<Invitation>("POST", "/members", { name: name.trim(), role });
    onClose();
    onInvited(invitation);
  });
  const { field, values, change } = form;
  return (
    <FormDialog title="Invite somebody" action="Make the link" form={form} onClose={onClose}>
      <TextField
        label="Name"
        autoFocus
        placeholder="ann"
        {...field("name")}
        problem={nameProblem(field("name").problem, values.name)}
      />
      <div class="field">
        <span class="label">Role</span>
        <Segmented label="Role" value={values.role} onChange={(role) => change({ role })} options={optionsOf(ROLES)} />
        <span class="hint">
          {values.role === "viewer"
            ? "Sees all projects, prompts and costs; changes nothing, calls no model."
            : "May do everything."}
        </span>
      </div>
    </FormDialog>
  );
};
