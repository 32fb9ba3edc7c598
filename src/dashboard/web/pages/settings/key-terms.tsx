/** The terms of an API key while they are edited: its name, scopes, models, budget, limits and expiry. */

import { useState } from "preact/hooks";
import type { KeyRow } from "../../../wire.ts";
import { day } from "../../format.ts";
import { Checks } from "../../parts/checks.tsx";
import { NumberField, optionsOf, SelectField, same, TextField } from "../../parts/controls.tsx";
import { TokensField } from "../../parts/tokens-field.tsx";
import { serverNow } from "../../server-clock.ts";
import { changesOf } from "../../use-fields.ts";
import { type FormOf, useForm } from "../../use-form.ts";
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

/** A form of the terms. `send` gets those of a new key, or those of a known one that are no longer as they were. */
export const useTerms = (key: KeyRow | null, send: (terms: Partial<Terms>) => Promise<void>) => {
  const begun: Terms = key === null ? UNBOUND : termsOf(key);
  const form = useForm(begun, (values) => {
    const terms = { ...values, name: values.name.trim() };
    return send(key === null ? terms : changesOf(begun, terms));
  });
  const { name, scopes } = form.values;
  return { ...form, isComplete: name.trim() !== "" && scopes?.length !== 0 };
};

type FieldProps = { form: Pick<FormOf<Terms>, "values" | "change" | "field"> };

export const NameField = ({ form: { field } }: FieldProps) => (
  <TextField label="What is it for?" {...field("name")} placeholder="ci, website, Ada's laptop" autoFocus />
);

export const Bounds = ({ form }: FieldProps) => {
  const { field } = form;
  const own = { min: 1, step: 1, placeholder: "no limit of its own" };
  return (
    <>
      <ScopesField form={form} />
      <ModelsField form={form} />
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
        <ExpiryField form={form} />
      </div>
    </>
  );
};

const ScopesField = ({ form: { values, change } }: FieldProps) => (
  <Checks
    legend="It may use"
    options={same(SCOPES)}
    chosen={values.scopes ?? SCOPES}
    onChange={(scopes) => change({ scopes: scopes.length === SCOPES.length ? null : (scopes as Scope[]) })}
  />
);

const ModelsField = ({ form: { field } }: FieldProps) => {
  const { value, onChange, problem } = field("models");
  const known = useModels();
  const providers = new Set(known.map(({ provider }) => `${provider}/*`));
  return (
    <TokensField
      label="Models"
      values={value ?? []}
      onChange={(models) => onChange(models.length === 0 ? null : models)}
      suggestions={[...providers, ...known.map(({ id }) => id)]}
      placeholder="all"
      hint="Enter or a comma adds one. openai/* means all of OpenAI's models."
      problem={problem}
    />
  );
};

/** Offers the expiry that the key has, too. */
const ExpiryField = ({ form: { field } }: FieldProps) => {
  const { value: expiry, onChange, problem } = field("expires_at");
  const [begun] = useState(expiry);
  const [choice, setChoice] = useState(begun ?? "");
  const choose = (value: string) => {
    setChoice(value);
    const isDays = EXPIRIES.some((expiry) => expiry.value === value);
    if (!isDays) return onChange(begun);
    onChange(value === "" ? null : new Date(serverNow() + Number(value) * DAY_MS).toISOString());
  };
  const options = begun === null ? EXPIRIES : [{ value: begun, label: day(begun) }, ...EXPIRIES];
  return <SelectField label="Expires" value={choice} onChange={choose} options={options} problem={problem} />;
};
