/** One policy: a form for every option, and what it would have done to past calls before it does anything to the next. */

import { useState } from "preact/hooks";
import type { DryRun, ModelRow } from "../../wire.ts";
import { call, type Failure, get } from "../api.ts";
import { ago, plural } from "../format.ts";
import { Check, NumberField, SelectField, TextField, TokensField } from "../parts/controls.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Lamp, type Tone } from "../parts/lamp.tsx";
import { attempt, Problem, say } from "../parts/notice.tsx";
import { Card, Page, Scroll } from "../parts/page.tsx";
import { go, hrefTo, queryOf } from "../router.ts";
import { door, mode, project, providers } from "../state.ts";
import { useLoad } from "../use-load.ts";
import type { Policy, PolicyTemplate } from "../wire.ts";

type Config = Record<string, any>;

export const PolicyEditor = ({ policy, template }: { policy: Policy | null; template: PolicyTemplate | null }) => {
  const type = policy?.policy_type ?? template?.policy_type ?? (queryOf("type") === "content" ? "content" : "routing");
  const [name, setName] = useState(policy?.name ?? template?.name ?? "");
  const [config, setConfig] = useState<Config>(policy?.config ?? template?.config ?? {});
  const [failure, setFailure] = useState<Failure | null>(null);
  const [deleting, setDeleting] = useState(false);
  const set = (option: string, value: unknown) => setConfig((before) => without({ ...before, [option]: value }));

  const save = async () => {
    try {
      if (policy) {
        // The server lays the config over the stored one; what is gone here has to be taken away there.
        const removed = Object.fromEntries(
          Object.keys(policy.config)
            .filter((option) => !(option in config))
            .map((option) => [option, null]),
        );
        await call("PATCH", door(`/v1/policies/${policy.id}`), { name: name.trim(), config: { ...removed, ...config } });
      } else {
        await call("POST", door("/v1/policies"), { name: name.trim(), policy_type: type, config });
      }
      say(`${name.trim()} is saved and holds from the next call on.`);
      go(hrefTo("policies"));
    } catch (error) {
      setFailure(error as Failure);
    }
  };

  return (
    <Page
      title={policy?.name ?? "New policy"}
      lead={
        template?.description ??
        (type === "routing"
          ? "A routing policy: which models may answer, at what cost and speed."
          : "A content policy: what is found in prompts and answers, and what is done then.")
      }
      actions={
        <>
          <a class="button" href={hrefTo("policies")}>
            <Icon name="left" /> All policies
          </a>
          {policy && (
            <button type="button" class="button danger" onClick={() => setDeleting(true)}>
              Delete
            </button>
          )}
          <button type="button" class="button primary" onClick={save} disabled={name.trim() === ""}>
            Save
          </button>
        </>
      }
    >
      {failure && <Problem failure={failure} />}
      <div class="columns policy-columns">
        <div class="stack">
          <Card>
            <TextField label="Name" value={name} onChange={setName} placeholder="No model above one cent" />
          </Card>
          {type === "routing" ? <RoutingForm config={config} set={set} /> : <ContentForm config={config} set={set} />}
        </div>
        <DryRunCard type={type} config={config} />
      </div>
      {deleting && policy && (
        <Confirm
          title={`Delete ${policy.name}?`}
          action="Delete"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            if (await attempt(() => call("DELETE", door(`/v1/policies/${policy.id}`)), `${policy.name} is deleted.`))
              go(hrefTo("policies"));
          }}
        >
          The next call is decided without it.
        </Confirm>
      )}
    </Page>
  );
};

/** Options that say nothing are left out. */
const without = (config: Config): Config =>
  Object.fromEntries(
    Object.entries(config).filter(
      ([, value]) => value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
    ),
  );

type FormProps = { config: Config; set: (option: string, value: unknown) => void };

const ACTIONS = [
  { value: "info", label: "Note it in the log only" },
  { value: "warn", label: "Warn, and let it through" },
  { value: "soft_block", label: "Change the call (another model, redaction)" },
  { value: "hard_block", label: "Refuse the call (403)" },
];

const PREFERENCES = [
  { value: "", label: "As the project's setting" },
  { value: "cheaper", label: "Cheaper models first" },
  { value: "faster", label: "Faster models first" },
  { value: "both", label: "Cheaper and faster first" },
  { value: "best", label: "The best answer: neither counts" },
];

const preferenceOf = ({ prefer_cheaper_models: cheaper, prefer_faster_models: faster }: Config): string => {
  if (cheaper && faster) return "both";
  if (cheaper) return "cheaper";
  if (faster) return "faster";
  return cheaper === false && faster === false ? "best" : "";
};

const RoutingForm = ({ config, set }: FormProps) => {
  const models = useLoad("models", () => get<{ models: ModelRow[] }>("/models"));
  const modelIds = (models.data?.models ?? []).map(({ id }) => id);
  const providerIds = (providers.value ?? []).map(({ id }) => id);
  const prefer = (value: string) => {
    set(
      "prefer_cheaper_models",
      value === "" ? null : value === "cheaper" || value === "both" ? true : value === "best" ? false : null,
    );
    set(
      "prefer_faster_models",
      value === "" ? null : value === "faster" || value === "both" ? true : value === "best" ? false : null,
    );
  };
  const tokens = (option: string, label: string, hint: string, suggestions: string[]) => (
    <TokensField
      label={label}
      hint={hint}
      values={config[option] ?? []}
      suggestions={suggestions}
      onChange={(values) => set(option, values)}
      placeholder="any"
    />
  );
  return (
    <Card title="Rules">
      <div class="stack">
        <div class="form-grid">
          {tokens("provider_allow_list", "Only these providers", "Several policies: what all of them allow.", providerIds)}
          {tokens("provider_block_list", "Never these providers", "Several policies: what any of them forbids.", providerIds)}
          {tokens("model_allow_list", "Only these models", "Enter or a comma adds one.", modelIds)}
          {tokens("model_block_list", "Never these models", "Enter or a comma adds one.", modelIds)}
        </div>
        <div class="form-grid">
          <NumberField
            label="Cost ceiling a call (USD)"
            value={config["cost_ceiling_usd"] ?? null}
            min={0}
            onChange={(value) => set("cost_ceiling_usd", value)}
            placeholder="none"
          />
          <NumberField
            label="Latency target (ms)"
            value={config["latency_target_ms"] ?? null}
            min={1}
            onChange={(value) => set("latency_target_ms", value)}
            placeholder="none"
          />
        </div>
        <SelectField label="Prefer" value={preferenceOf(config)} options={PREFERENCES} onChange={prefer} />
        <SelectField
          label="When the choice would break a rule"
          value={config["on_violation"] ?? "soft_block"}
          options={ACTIONS}
          onChange={(value) => set("on_violation", value)}
        />
      </div>
    </Card>
  );
};

const TYPES: [string, string][] = [
  ["ssn", "Social security number"],
  ["ssn_no_dash", "… without dashes"],
  ["credit_card", "Card number"],
  ["email", "E-mail address"],
  ["phone_us", "US phone number"],
  ["ip_address", "IP address"],
  ["date_of_birth", "Date of birth"],
];

const PART_ACTIONS = [
  { value: "", label: "As set below" },
  { value: "warn", label: "Warn" },
  { value: "redact", label: "Redact" },
  { value: "block", label: "Block" },
];

const ContentForm = ({ config, set }: FormProps) => {
  const pii: Config = config["pii_detection"] ?? {};
  const terms: Config = config["blocked_terms"] ?? {};
  const piiOn = config["pii_detection"] !== undefined && pii["enabled"] !== false;
  const termsOn = config["blocked_terms"] !== undefined && terms["enabled"] !== false;
  const setPii = (option: string, value: unknown) => set("pii_detection", without({ ...pii, [option]: value }));
  const setTerms = (option: string, value: unknown) =>
    set("blocked_terms", { ...without({ ...terms, [option]: value }), ...(option === "terms" && { terms: value }) });
  const types: string[] = pii["types"] ?? TYPES.map(([type]) => type);
  return (
    <>
      <Card title="Where it looks">
        <div class="stack tight">
          <Check label="Answers" checked={config["evaluate_output"] !== false} onChange={(on) => set("evaluate_output", on)} />
          <Check
            label="Prompts too"
            hint="Before they leave for a provider."
            checked={config["evaluate_input"] === true}
            onChange={(on) => set("evaluate_input", on || null)}
          />
          <Check
            label="Redact in logs"
            hint="What is found is not stored."
            checked={config["redact_logs"] === true}
            onChange={(on) => set("redact_logs", on || null)}
          />
        </div>
      </Card>
      <Card title="Personal data">
        <div class="stack">
          <Check label="Look for it" checked={piiOn} onChange={(on) => setPii("enabled", on)} />
          {piiOn && (
            <>
              <fieldset>
                <legend>Kinds</legend>
                <div class="checks">
                  {TYPES.map(([type, label]) => (
                    <Check
                      key={type}
                      label={label}
                      checked={types.includes(type)}
                      onChange={(on) =>
                        setPii(
                          "types",
                          TYPES.map(([one]) => one).filter((one) => (one === type ? on : types.includes(one))),
                        )
                      }
                    />
                  ))}
                </div>
              </fieldset>
              <div class="form-grid">
                <SelectField
                  label="Then"
                  value={pii["action"] ?? ""}
                  options={PART_ACTIONS}
                  onChange={(value) => setPii("action", value)}
                />
                <TextField
                  label="Redact as"
                  value={pii["redaction_format"] ?? ""}
                  onChange={(value) => setPii("redaction_format", value)}
                  placeholder="[REDACTED]"
                  hint="{type} stands for what was found."
                />
              </div>
            </>
          )}
        </div>
      </Card>
      <Card title="Terms">
        <div class="stack">
          <Check label="Look for terms" checked={termsOn} onChange={(on) => setTerms("enabled", on)} />
          {termsOn && (
            <>
              <TokensField
                label="Whole words or phrases"
                values={terms["terms"] ?? []}
                onChange={(values) => setTerms("terms", values)}
                hint="Upper and lower case count as the same. A pasted list becomes one term a line."
              />
              <SelectField
                label="Then"
                value={terms["action"] ?? ""}
                options={PART_ACTIONS}
                onChange={(value) => setTerms("action", value)}
              />
            </>
          )}
        </div>
      </Card>
      <Card title="Criteria" note="A cheap model judges each answer against these sentences.">
        <div class="stack">
          <TokensField
            label="Criteria"
            values={config["criteria"] ?? []}
            onChange={(values) => set("criteria", values)}
            placeholder="The answer gives no medical advice"
            hint="Enter adds one. Each costs a small call."
          />
          <SelectField
            label="What has no action of its own"
            value={config["on_violation"] ?? "warn"}
            options={ACTIONS}
            onChange={(value) => set("on_violation", value)}
          />
        </div>
      </Card>
    </>
  );
};

const OUTCOMES: [keyof DryRun["counts"], Tone, string][] = [
  ["allow", "green", "untouched"],
  ["warn", "amber", "with a warning"],
  ["soft_block", "amber", "answered by another model"],
  ["redact", "amber", "redacted"],
  ["hard_block", "red", "refused"],
  ["block", "red", "blocked"],
];

const DryRunCard = ({ type, config }: { type: string; config: Config }) => {
  const [run, setRun] = useState<DryRun | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      setRun(
        await call<DryRun>("POST", `/projects/${project.value!.id}/${mode.value}/policy-dry-run`, { policy_type: type, config }),
      );
      setFailure(null);
    } catch (error) {
      setFailure(error as Failure);
    }
    setBusy(false);
  };
  return (
    <Card
      title="Dry run"
      note={`What this policy would have done to the latest ${mode.value} calls of the last 30 days. Nothing is changed.`}
      busy={busy}
      actions={
        <button type="button" class="button" onClick={start} disabled={busy}>
          {run ? "Run again" : "Run"}
        </button>
      }
    >
      <div class="stack dry-run">
        {failure && <Problem failure={failure} />}
        {run === null && !failure && <p class="muted">Press Run to see it on your own calls before you save.</p>}
        {run && run.calls === 0 && <p class="muted">There are no calls to try it on yet.</p>}
        {run && run.calls > 0 && (
          <>
            <p>
              Of {plural(run.calls, "call")},{" "}
              {run.calls - run.counts.allow === 0
                ? "none would have changed."
                : `${run.calls - run.counts.allow} would not have gone the same way:`}
            </p>
            <ul class="checklist">
              {OUTCOMES.filter(([outcome]) => run.counts[outcome] > 0).map(([outcome, tone, words]) => (
                <li key={outcome}>
                  <Lamp tone={tone}>{words}</Lamp>
                  <strong>{run.counts[outcome]}</strong>
                </li>
              ))}
            </ul>
            {run.touched.length > 0 && (
              <Scroll label="Calls it would have touched">
                <table class="small">
                  <tbody>
                    {run.touched.map((touched) => (
                      <tr key={touched.call_id}>
                        <td class="nowrap muted">{ago(touched.timestamp)}</td>
                        <td class="prompt">
                          <a class="row-link clip" href={hrefTo("calls", touched.call_id)}>
                            {touched.prompt ?? touched.call_id}
                          </a>
                          <span class="muted">{touched.why}</span>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )}
          </>
        )}
      </div>
    </Card>
  );
};
