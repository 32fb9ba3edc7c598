/** The terms of an API key while they are edited: its name, scopes, models, budget, limits and expiry. */

import { useState } from "preact/hooks";
import type { KeyRow } from "../../../wire.ts";
import { day } from "../../format.ts";
import { Check, NumberField, optionsOf, SelectField, TextField } from "../../parts/controls.tsx";
import { TokensField } from "../../parts/tokens-field.tsx";
import { serverNow } from "../../server-clock.ts";
import { changesOf, type Fields, useFields } from "../../use-fields.ts";
import { useModels } from "../../use-models.ts";

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
const DAY_MS = 86_400_000;

const PERIODS: Record<KeyRow["budget_period"], string> = {
  day: "A day",
  week: "A week, from Monday",
  month: "A month",
  total: "Its whole life",
};

/** As the server takes them. */
const termsOf = ({
  name,
  scopes,
  models,
  budget_usd,
  budget_period,
  requests_per_minute,
  tokens_per_minute,
  expires_at,
}: KeyRow) => ({ name, scopes, models, budget_usd, budget_period, requests_per_minute, tokens_per_minute, expires_at });

/** A choice is any text. */
type Terms = Omit<ReturnType<typeof termsOf>, "budget_period"> & { budget_period: string };
const UNBOUND: Terms = {
  ...{ name: "", scopes: null, models: null, expires_at: null },
  ...{ budget_usd: null, budget_period: "month", requests_per_minute: null, tokens_per_minute: null },
};

/** The terms while being edited; `body`: those of a new key; `changed`: those that are no longer as they were. */
export const useTerms = (key: KeyRow | null) => {
  const begun: Terms = key === null ? UNBOUND : termsOf(key);
  const fields = useFields<Terms>(begun);
  const { name, scopes } = fields.values;
  const body = { ...fields.values, name: name.trim() };
  return {
    fields,
    isComplete: body.name !== "" && scopes?.length !== 0,
    body,
    changed: changesOf(begun, body),
  };
};

type FieldProps = { fields: Fields<Terms>; problem?: string | undefined };

export const NameField = ({ fields: { field }, problem }: FieldProps) => (
  <TextField label="What is it for?" {...field("name")} placeholder="ci, website, Ada's laptop" autoFocus problem={problem} />
);

/** `problem`: of the models. */
export const Bounds = ({ fields, problem }: FieldProps) => {
  const { field } = fields;
  const own = { min: 1, step: 1, placeholder: "no limit of its own" };
  return (
    <>
      <ScopesField fields={fields} />
      <ModelsField fields={fields} problem={problem} />
      <div class="form-grid">
        <NumberField
          label="Budget (USD)"
          {...field("budget_usd")}
          min={0}
          placeholder="no bound"
          hint="A call that would overdraw it is refused."
        />
        <SelectField label="The budget is for" {...field("budget_period")} options={optionsOf(PERIODS)} />
        <NumberField label="Requests a minute" {...field("requests_per_minute")} {...own} />
        <NumberField label="Tokens a minute" {...field("tokens_per_minute")} {...own} />
        <ExpiryField fields={fields} />
      </div>
    </>
  );
};

const ScopesField = ({ fields: { values, change } }: FieldProps) => {
  const chosen = values.scopes ?? SCOPES;
  const turn = (scope: Scope, on: boolean) => {
    const next = SCOPES.filter((one) => (one === scope ? on : chosen.includes(one)));
    change({ scopes: next.length === SCOPES.length ? null : next });
  };
  return (
    <fieldset>
      <legend>It may use</legend>
      <div class="checks">
        {SCOPES.map((scope) => (
          <Check key={scope} label={scope} checked={chosen.includes(scope)} onChange={(on) => turn(scope, on)} />
        ))}
      </div>
    </fieldset>
  );
};

const ModelsField = ({ fields: { values, change }, problem }: FieldProps) => {
  const known = useModels();
  const providers = new Set(known.map(({ provider }) => `${provider}/*`));
  return (
    <TokensField
      label="Models"
      values={values.models ?? []}
      onChange={(models) => change({ models: models.length === 0 ? null : models })}
      suggestions={[...providers, ...known.map(({ id }) => id)]}
      placeholder="all"
      hint="Enter or a comma adds one. openai/* means all of OpenAI's models."
      problem={problem}
    />
  );
};

/** Offers the expiry that the key has, too. */
const ExpiryField = ({ fields: { values, change } }: FieldProps) => {
  const [begun] = useState(values.expires_at);
  const [choice, setChoice] = useState(begun ?? "");
  const choose = (value: string) => {
    setChoice(value);
    const isDays = EXPIRIES.some((expiry) => expiry.value === value);
    if (!isDays) return change({ expires_at: begun });
    change({ expires_at: value === "" ? null : new Date(serverNow() + Number(value) * DAY_MS).toISOString() });
  };
  const options = begun === null ? EXPIRIES : [{ value: begun, label: day(begun) }, ...EXPIRIES];
  return <SelectField label="Expires" value={choice} onChange={choose} options={options} />;
};
