/** The dialogs that create, change or rotate an API key: its name, scopes, budget and expiry. */

import { useState } from "preact/hooks";
import type { KeyRow, NewKey } from "../../../wire.ts";
import { call } from "../../api.ts";
import { day } from "../../format.ts";
import { Check, NumberField, Segmented, SelectField, TextField } from "../../parts/controls.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/notice.tsx";
import { serverNow } from "../../server-clock.ts";
import { mode, project } from "../../state.ts";
import { useSubmit } from "../../use-submit.ts";

type Scope = NonNullable<KeyRow["scopes"]>[number];
const ALL_SCOPES: Record<Scope, true> = {
  chat: true,
  media: true,
  documents: true,
  memory: true,
  search: true,
  metrics: true,
  logs: true,
  policies: true,
  schemas: true,
};
const SCOPES = Object.keys(ALL_SCOPES) as Scope[];

const EXPIRIES = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];
const UNCHANGED = "unchanged";

/** The terms while being edited, and `body`, the request. */
const useTerms = (key: KeyRow | null) => {
  const [name, setName] = useState(key?.name ?? "");
  const [scopes, setScopes] = useState<readonly Scope[]>(key?.scopes ?? SCOPES);
  const [budget, setBudget] = useState(key?.budget_usd ?? null);
  const [expiry, setExpiry] = useState(key?.expires_at ? UNCHANGED : "");
  const expiresAt = (): string | null => {
    if (expiry === UNCHANGED) return key!.expires_at;
    return expiry === "" ? null : new Date(serverNow() + Number(expiry) * 86_400_000).toISOString();
  };
  return {
    ...{ name, setName, scopes, setScopes, budget, setBudget, expiry, setExpiry },
    expiries: key?.expires_at ? [{ value: UNCHANGED, label: day(key.expires_at) }, ...EXPIRIES] : EXPIRIES,
    isComplete: name.trim() !== "" && scopes.length > 0,
    body: () => ({
      name: name.trim(),
      scopes: scopes.length === SCOPES.length ? null : scopes,
      budget_usd: budget,
      expires_at: expiresAt(),
    }),
  };
};
type Terms = ReturnType<typeof useTerms>;

type CreateProps = { onClose: () => void; onMade: (key: NewKey) => void };

export const CreateKey = ({ onClose, onMade }: CreateProps) => {
  const terms = useTerms(null);
  const [kind, setKind] = useState<string>(mode.value);
  const { busy, failure, problems, submit } = useSubmit(
    async () => onMade(await call<NewKey>("POST", `/projects/${project.value!.id}/keys`, { ...terms.body(), mode: kind })),
    ["name"],
  );
  return (
    <FormDialog
      title={`New key for ${project.value!.name}`}
      action="Make the key"
      disabled={busy || !terms.isComplete}
      onClose={onClose}
      onSubmit={submit}
    >
      {failure && <Problem failure={failure} />}
      <NameField {...terms} problem={problems["name"]?.message} />
      <div class="field">
        <span class="label">Mode</span>
        <Segmented
          label="Mode"
          value={kind}
          onChange={setKind}
          options={[
            { value: "live", label: "Live" },
            { value: "test", label: "Test" },
          ]}
        />
        <span class="hint">{kind === "live" ? "The providers answer." : "The sandbox answers, free."}</span>
      </div>
      <Bounds {...terms} />
    </FormDialog>
  );
};

type ChangeProps = { apiKey: KeyRow; onClose: () => void; onChanged: () => void };

export const ChangeKey = ({ apiKey, onClose, onChanged }: ChangeProps) => {
  const terms = useTerms(apiKey);
  const { busy, failure, problems, submit } = useSubmit(async () => {
    await call("PUT", `/projects/${project.value!.id}/keys/${apiKey.id}`, terms.body());
    onChanged();
  }, ["name"]);
  return (
    <FormDialog
      title={`Change “${apiKey.name}”`}
      action="Save"
      disabled={busy || !terms.isComplete}
      onClose={onClose}
      onSubmit={submit}
    >
      {failure && <Problem failure={failure} />}
      <NameField {...terms} problem={problems["name"]?.message} />
      <Bounds {...terms} />
    </FormDialog>
  );
};

type RotateProps = { apiKey: KeyRow; onClose: () => void; onMade: (key: NewKey) => void };

export const RotateKey = ({ apiKey, onClose, onMade }: RotateProps) => {
  const { name, scopes, budget_usd, expires_at, mode: kind } = apiKey;
  const { busy, failure, submit } = useSubmit(async () => {
    const terms = { name, scopes, budget_usd, expires_at, mode: kind, replaces: apiKey.id };
    onMade(await call<NewKey>("POST", `/projects/${project.value!.id}/keys`, terms));
  });
  return (
    <FormDialog title={`Rotate “${name}”`} action="Make the new key" disabled={busy} onClose={onClose} onSubmit={submit}>
      {failure && <Problem failure={failure} />}
      <div>
        A new key gets the same name, scopes, budget and expiry, and goes on with what this one has spent this month. The one that
        ends in <code>{apiKey.last_four}</code> keeps working until you revoke it, so programs can change over without a pause.
      </div>
    </FormDialog>
  );
};

const NameField = ({ name, setName, problem }: Terms & { problem: string | undefined }) => (
  <TextField
    label="What is it for?"
    value={name}
    onChange={setName}
    placeholder="ci, website, Ada's laptop"
    autoFocus
    problem={problem}
  />
);

const Bounds = ({ scopes, setScopes, budget, setBudget, expiry, setExpiry, expiries }: Terms) => (
  <>
    <fieldset>
      <legend>It may use</legend>
      <div class="checks">
        {SCOPES.map((scope) => (
          <Check
            key={scope}
            label={scope}
            checked={scopes.includes(scope)}
            onChange={(on) => setScopes(SCOPES.filter((one) => (one === scope ? on : scopes.includes(one))))}
          />
        ))}
      </div>
    </fieldset>
    <div class="form-grid">
      <NumberField
        label="Budget a month (USD)"
        value={budget}
        onChange={setBudget}
        min={0}
        placeholder="no bound"
        hint="A call that would overdraw it is refused."
      />
      <SelectField label="Expires" value={expiry} onChange={setExpiry} options={expiries} />
    </div>
  </>
);
