/** The dialog that makes an API key: what it is for, what it may do, spend, and until when. */

import { useState } from "preact/hooks";
import type { KeyRow, NewKey } from "../../../wire.ts";
import { call } from "../../api.ts";
import { Check, NumberField, Segmented, SelectField, TextField } from "../../parts/controls.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/notice.tsx";
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
const SCOPES = Object.keys(ALL_SCOPES);

const EXPIRIES = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

export const CreateKey = ({ onClose, onMade }: { onClose: () => void; onMade: (key: NewKey) => void }) => {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<string>(mode.value);
  const [scopes, setScopes] = useState<string[]>([...SCOPES]);
  const [budget, setBudget] = useState<number | null>(null);
  const [expiry, setExpiry] = useState("");
  const { busy, failure, submit } = useSubmit(async () =>
    onMade(
      await call<NewKey>("POST", `/projects/${project.value!.id}/keys`, {
        name: name.trim(),
        mode: kind,
        scopes: scopes.length === SCOPES.length ? null : scopes,
        budget_usd: budget,
        expires_at: expiry === "" ? null : new Date(Date.now() + Number(expiry) * 86_400_000).toISOString(),
      }),
    ),
  );
  const toggle = (scope: string, on: boolean) => setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  return (
    <FormDialog
      title={`New key for ${project.value!.name}`}
      action="Make the key"
      disabled={busy || name.trim() === "" || scopes.length === 0}
      onClose={onClose}
      onSubmit={submit}
    >
      {failure && failure.param !== "name" && <Problem failure={failure} />}
      <TextField
        label="What is it for?"
        value={name}
        onChange={setName}
        placeholder="ci, website, Ada's laptop"
        autoFocus
        problem={failure?.param === "name" ? failure.message : null}
      />
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
      <fieldset>
        <legend>It may use</legend>
        <div class="checks">
          {SCOPES.map((scope) => (
            <Check key={scope} label={scope} checked={scopes.includes(scope)} onChange={(on) => toggle(scope, on)} />
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
        <SelectField label="Expires" value={expiry} onChange={setExpiry} options={EXPIRIES} />
      </div>
    </FormDialog>
  );
};
