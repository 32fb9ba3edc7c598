/** Every option of a routing policy. */

import { NumberField, optionsOf, SelectField } from "../../parts/controls.tsx";
import { Card } from "../../parts/page.tsx";
import { TokensField } from "../../parts/tokens-field.tsx";
import { providers } from "../../state.ts";
import { useModels } from "../../use-models.ts";
import type { Problems } from "../../use-submit.ts";
import type { PolicyConfig } from "../../wire.ts";
import { ACTIONS, type FormProps, type ListOption } from "./policy-config.ts";

const PREFERENCES = optionsOf({
  "": "As the project's setting",
  cheaper: "Cheaper models first",
  faster: "Faster models first",
  both: "Cheaper and faster first",
  best: "The best answer: neither counts",
});

const preferenceOf = ({ prefer_cheaper_models: cheaper, prefer_faster_models: faster }: PolicyConfig): string => {
  if (cheaper && faster) return "both";
  if (cheaper) return "cheaper";
  if (faster) return "faster";
  return cheaper === false && faster === false ? "best" : "";
};

/** The options whose problem their field shows, as the server names them. */
export const CHECKED_OPTIONS = ["config.cost_ceiling_usd", "config.latency_target_ms"] as const;

/** By its id, also behind its provider. */
const isModelIn = (ids: readonly string[], name: string): boolean => {
  const given = name.trim().toLowerCase();
  return ids.some((id) => given === id.toLowerCase() || given.endsWith(`/${id.toLowerCase()}`));
};

type Props = FormProps & { problems: Problems };

export const RoutingForm = ({ config, set, problems }: Props) => {
  const modelIds = useModels().map(({ id }) => id);
  const providerIds = providers.value.map(({ id }) => id);
  const prefer = (value: string) => {
    const unless = value === "best" ? false : null;
    set("prefer_cheaper_models", value === "cheaper" || value === "both" || unless);
    set("prefer_faster_models", value === "faster" || value === "both" || unless);
  };
  /** Providers must be known ids, because a list of unknown ones would stop every call; models have several names. */
  const problemOf = (option: ListOption): string | null => {
    const strange = option.startsWith("provider")
      ? (config[option] ?? []).find((id) => !providerIds.includes(id.trim().toLowerCase()))
      : undefined;
    return strange === undefined ? null : `There is no provider “${strange}” here.`;
  };
  /** Only said, because models have other names, and some that are named come later. */
  const modelHint = (option: ListOption): string => {
    const strange = (config[option] ?? []).find((name) => !isModelIn(modelIds, name));
    if (strange === undefined || modelIds.length === 0) return "Enter or a comma adds one.";
    return `“${strange}” is no chat model's id here. Other names of models hold, too, but a misspelt one holds for nothing.`;
  };
  const tokens = (option: ListOption, label: string, hint: string, suggestions: string[]) => (
    <TokensField
      label={label}
      problem={problemOf(option)}
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
          {tokens("model_allow_list", "Only these models", modelHint("model_allow_list"), modelIds)}
          {tokens("model_block_list", "Never these models", modelHint("model_block_list"), modelIds)}
        </div>
        <div class="form-grid">
          <NumberField
            label="Cost ceiling a call (USD)"
            value={config.cost_ceiling_usd ?? null}
            min={0}
            onChange={(value) => set("cost_ceiling_usd", value)}
            placeholder="none"
            problem={problems["config.cost_ceiling_usd"]}
          />
          <NumberField
            label="Latency target (ms)"
            value={config.latency_target_ms ?? null}
            min={1}
            onChange={(value) => set("latency_target_ms", value)}
            placeholder="none"
            problem={problems["config.latency_target_ms"]}
          />
        </div>
        <SelectField label="Prefer" value={preferenceOf(config)} options={PREFERENCES} onChange={prefer} />
        <SelectField
          label="When the choice would break a rule"
          value={config.on_violation ?? "soft_block"}
          options={ACTIONS}
          onChange={(value) => set("on_violation", value)}
        />
      </div>
    </Card>
  );
};
