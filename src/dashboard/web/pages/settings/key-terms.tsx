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
const UNCHANGED = "unchanged";

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

/** The terms while being edited, and `body`, the request. */
export const useTerms = (key: KeyRow | null) => {
  const [name, setName] = useState(key?.name ?? "");
  const [scopes, setScopes] = useState<readonly Scope[]>(key?.scopes ?? SCOPES);
  const [models, setModels] = useState(key?.models ?? []);
  const [budget, setBudget] = useState(key?.budget_usd ?? null);
  const [period, setPeriod] = useState<string>(key?.budget_period ?? "month");
  const [requests, setRequests] = useState(key?.requests_per_minute ?? null);
  const [tokens, setTokens] = useState(key?.tokens_per_minute ?? null);
  const [expiry, setExpiry] = useState(key?.expires_at ? UNCHANGED : "");
  const expiresAt = (): string | null => {
    if (expiry === UNCHANGED) return key!.expires_at;
    return expiry === "" ? null : new Date(serverNow() + Number(expiry) * 86_400_000).toISOString();
  };
  return {
    ...{ name, setName, scopes, setScopes, models, setModels, expiry, setExpiry },
    ...{ budget, setBudget, period, setPeriod, requests, setRequests, tokens, setTokens },
    expiries: key?.expires_at ? [{ value: UNCHANGED, label: day(key.expires_at) }, ...EXPIRIES] : EXPIRIES,
    isComplete: name.trim() !== "" && scopes.length > 0,
    body: () => ({
      name: name.trim(),
      scopes: scopes.length === SCOPES.length ? null : scopes,
      models: models.length === 0 ? null : models,
      budget_usd: budget,
      budget_period: period,
      requests_per_minute: requests,
      tokens_per_minute: tokens,
      expires_at: expiresAt(),
    }),
  };
};
type Terms = ReturnType<typeof useTerms>;

type FieldProps = { terms: Terms; problem: string | undefined };

export const NameField = ({ terms: { name, setName }, problem }: FieldProps) => (
  <TextField
    label="What is it for?"
    value={name}
    onChange={setName}
    placeholder="ci, website, Ada's laptop"
    autoFocus
    problem={problem}
  />
);

/** `problem`: of the models. */
export const Bounds = ({ terms, problem }: FieldProps) => (
  <>
    <fieldset>
      <legend>It may use</legend>
      <div class="checks">
        {SCOPES.map((scope) => (
          <Check
            key={scope}
            label={scope}
            checked={terms.scopes.includes(scope)}
            onChange={(on) => terms.setScopes(SCOPES.filter((one) => (one === scope ? on : terms.scopes.includes(one))))}
          />
        ))}
      </div>
    </fieldset>
    <ModelsField terms={terms} problem={problem} />
    <div class="form-grid">
      <NumberField
        label="Budget (USD)"
        value={terms.budget}
        onChange={terms.setBudget}
        min={0}
        placeholder="no bound"
        hint="A call that would overdraw it is refused."
      />
      <SelectField label="The budget is for" value={terms.period} onChange={terms.setPeriod} options={optionsOf(PERIODS)} />
      <NumberField
        label="Requests a minute"
        value={terms.requests}
        onChange={terms.setRequests}
        min={1}
        step={1}
        placeholder="no limit of its own"
      />
      <NumberField
        label="Tokens a minute"
        value={terms.tokens}
        onChange={terms.setTokens}
        min={1}
        step={1}
        placeholder="no limit of its own"
      />
      <SelectField label="Expires" value={terms.expiry} onChange={terms.setExpiry} options={terms.expiries} />
    </div>
  </>
);

const ModelsField = ({ terms: { models, setModels }, problem }: FieldProps) => {
  const { data } = useLoad("models", () => get<{ models: ModelRow[] }>("/models"));
  const known = data?.models ?? [];
  const providers = new Set(known.map(({ provider }) => `${provider}/*`));
  return (
    <TokensField
      label="Models"
      values={models}
      onChange={setModels}
      suggestions={[...providers, ...known.map(({ id }) => id)]}
      placeholder="all"
      hint="Enter or a comma adds one. openai/* means all of OpenAI's models."
      problem={problem}
    />
  );
};
