/** Every option of a content policy. */

import type { PersonalDataType } from "../../../../policies/content/personal-data-type.ts";
import type { PartAction } from "../../../../policies/policy.ts";
import { Checks } from "../../parts/checks.tsx";
import { Check, optionsOf, SelectField, TextField } from "../../parts/controls.tsx";
import { Card } from "../../parts/page.tsx";
import { TokensField } from "../../parts/tokens-field.tsx";
import type { PolicyConfig } from "../../wire.ts";
import { ACTIONS, type FormProps, withoutEmpty } from "./policy-config.ts";

const TYPE_LABELS: Record<PersonalDataType, string> = {
  ssn: "Social security number",
  ssn_no_dash: "… without dashes",
  credit_card: "Card number",
  email: "E-mail address",
  phone_us: "US phone number",
  ip_address: "IP address",
  date_of_birth: "Date of birth",
};
const TYPES = optionsOf(TYPE_LABELS);

const PART_ACTION_LABELS: Record<PartAction, string> = { warn: "Warn", redact: "Redact", block: "Block" };
const PART_ACTIONS = [{ value: "", label: "As set below" }, ...optionsOf(PART_ACTION_LABELS)];

export const ContentForm = (props: FormProps) => (
  <>
    <Places {...props} />
    <PersonalData {...props} />
    <Terms {...props} />
    <Criteria {...props} />
  </>
);

const Places = ({ config, set }: FormProps) => (
  <Card title="Where it looks">
    <div class="stack tight">
      <Check label="Answers" checked={config.evaluate_output !== false} onChange={(on) => set("evaluate_output", on)} />
      <Check
        label="Prompts too"
        hint="Before they leave for a provider."
        checked={config.evaluate_input === true}
        onChange={(on) => set("evaluate_input", on || null)}
      />
      <Check
        label="Redact in logs"
        hint="The log does not store what is found."
        checked={config.redact_logs === true}
        onChange={(on) => set("redact_logs", on || null)}
      />
    </div>
  </Card>
);

type Part<Name extends "pii_detection" | "blocked_terms"> = NonNullable<PolicyConfig[Name]>;

/** A part without `enabled` is on. */
const isOn = (part: { enabled?: boolean } | undefined): boolean => part !== undefined && part.enabled !== false;

const PersonalData = ({ config, set }: FormProps) => {
  const part: Part<"pii_detection"> = config.pii_detection ?? {};
  const setPart = (option: keyof typeof part, value: unknown) => set("pii_detection", withoutEmpty({ ...part, [option]: value }));
  const isSet = isOn(config.pii_detection);
  return (
    <Card title="Personal data">
      <div class="stack">
        <Check label="Look for it" checked={isSet} onChange={(on) => setPart("enabled", on)} />
        {isSet && (
          <>
            <Checks
              legend="Kinds"
              options={TYPES}
              chosen={part.types ?? TYPES.map(({ value }) => value)}
              onChange={(types) => setPart("types", types)}
            />
            <div class="form-grid">
              <SelectField
                label="Then"
                value={part.action ?? ""}
                options={PART_ACTIONS}
                onChange={(value) => setPart("action", value)}
              />
              <TextField
                label="Redact as"
                value={part.redaction_format ?? ""}
                onChange={(value) => setPart("redaction_format", value)}
                placeholder="[REDACTED]"
                hint="{type} stands for what was found."
              />
            </div>
          </>
        )}
      </div>
    </Card>
  );
};

const Terms = ({ config, set }: FormProps) => {
  const part: Part<"blocked_terms"> = config.blocked_terms ?? {};
  const setPart = (option: keyof typeof part, value: unknown) =>
    set("blocked_terms", { ...withoutEmpty({ ...part, [option]: value }), ...(option === "terms" && { terms: value }) });
  const isSet = isOn(config.blocked_terms);
  return (
    <Card title="Terms">
      <div class="stack">
        <Check label="Look for terms" checked={isSet} onChange={(on) => setPart("enabled", on)} />
        {isSet && (
          <>
            <TokensField
              label="Whole words or phrases"
              values={part.terms ?? []}
              onChange={(values) => setPart("terms", values)}
              hint="Upper and lower case count as the same. A pasted list becomes one term a line."
            />
            <SelectField
              label="Then"
              value={part.action ?? ""}
              options={PART_ACTIONS}
              onChange={(value) => setPart("action", value)}
            />
          </>
        )}
      </div>
    </Card>
  );
};

const Criteria = ({ config, set }: FormProps) => (
  <Card title="Criteria" note="A cheap model judges each answer against these sentences.">
    <div class="stack">
      <TokensField
        label="Criteria"
        values={config.criteria ?? []}
        onChange={(values) => set("criteria", values)}
        placeholder="The answer gives no medical advice"
        hint="Enter adds one. All of them together cost one small call for each answer."
      />
      <SelectField
        label="What has no action of its own"
        value={config.on_violation ?? "warn"}
        options={ACTIONS}
        onChange={(value) => set("on_violation", value)}
      />
    </div>
  </Card>
);
