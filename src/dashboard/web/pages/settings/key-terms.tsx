/** The terms of an API key while they are edited: its name, scopes, models, budget, limits and expiry. */

import { useState } from "preact/hooks";
import type { KeyRow, ModelRow } from "../../../wire.ts";
import { get } from "../../api.ts";
import { day } from "../../format.ts";
import { Check, NumberField, optionsOf, SelectField, TextField } from "../../parts/controls.tsx";
import { TokensField } from "../../parts/tokens-field.tsx";
import { serverNow } from "../../server-clock.ts";
import { useLoad } from "../../use-load.ts";

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
export const termsOf = ({
  name,
  scopes,
  models,
  budget_usd,
  budget_period,
  requests_per_minute,
  tokens_per_minute,
  expires_at,
}: KeyRow) => ({ name, scopes, models, budget_usd, budget_period, requests_per_minute, tokens_per_minute, expires_at });

type Terms = ReturnType<typeof termsOf>;
const UNBOUND: Terms = {
  name: "",
  scopes: null,
  models: null,
  budget_usd: null,
  budget_period: "month",
  requests_per_minute: null,
  tokens_per_minute: null,
  expires_at: null,
};

/** The terms while being edited, and `body`, the request. */
export const useTerms = (key: KeyRow | null) => {
  const [terms, setTerms] = useState(key === null ? UNBOUND : termsOf(key));
  return {
    terms,
    change: (next: Partial<Terms>) => setTerms((before) => ({ ...before, ...next })),
    isComplete: terms.name.trim() !== "" && terms.scopes?.length !== 0,
    body: { ...terms, name: terms.name.trim() },
  };
};

type FieldProps = Pick<ReturnType<typeof useTerms>, "terms" | "change"> & { problem?: string | undefined };

export const NameField = ({ terms, change, problem }: FieldProps) => (
  <TextField
    label="What is it for?"
    value={terms.name}
    onChange={(name) => change({ name })}
    placeholder="ci, website, Ada's laptop"
    autoFocus
    problem={problem}
  />
);

/** `problem`: of the models. */
export const Bounds = ({ terms, change, problem }: FieldProps) => (
  <>
    <ScopesField terms={terms} change={change} />
    <ModelsField terms={terms} change={change} problem={problem} />
    <div class="form-grid">
      <NumberField
        label="Budget (USD)"
        value={terms.budget_usd}
        onChange={(budget_usd) => change({ budget_usd })}
        min={0}
        placeholder="no bound"
        hint="A call that would overdraw it is refused."
      />
      <SelectField
        label="The budget is for"
        value={terms.budget_period}
        onChange={(period) => change({ budget_period: period as Terms["budget_period"] })}
        options={optionsOf(PERIODS)}
      />
      <NumberField
        label="Requests a minute"
        value={terms.requests_per_minute}
        onChange={(requests_per_minute) => change({ requests_per_minute })}
        min={1}
        step={1}
        placeholder="no limit of its own"
      />
      <NumberField
        label="Tokens a minute"
        value={terms.tokens_per_minute}
        onChange={(tokens_per_minute) => change({ tokens_per_minute })}
        min={1}
        step={1}
        placeholder="no limit of its own"
      />
      <ExpiryField terms={terms} change={change} />
    </div>
  </>
);

const ScopesField = ({ terms: { scopes }, change }: FieldProps) => {
  const chosen = scopes ?? SCOPES;
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

const ModelsField = ({ terms: { models }, change, problem }: FieldProps) => {
  const { data } = useLoad("models", () => get<{ models: ModelRow[] }>("/models"));
  const known = data?.models ?? [];
  const providers = new Set(known.map(({ provider }) => `${provider}/*`));
  return (
    <TokensField
      label="Models"
      values={models ?? []}
      onChange={(values) => change({ models: values.length === 0 ? null : values })}
      suggestions={[...providers, ...known.map(({ id }) => id)]}
      placeholder="all"
      hint="Enter or a comma adds one. openai/* means all of OpenAI's models."
      problem={problem}
    />
  );
};

/** Offers the expiry that the key has, too. */
const ExpiryField = ({ terms: { expires_at }, change }: FieldProps) => {
  const [begun] = useState(expires_at);
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
