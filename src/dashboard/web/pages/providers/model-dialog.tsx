/**
 * The dialog that adds or changes a chat model that the catalog lacks: one of an endpoint of your own, or a new one of a known provider.
 */

import type { ModelRow, ModelsAnswer } from "../../../wire.ts";
import { call } from "../../api.ts";
import { loadProviders } from "../../ask-providers.ts";
import { NumberField, SelectField, TextField } from "../../parts/controls.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { say } from "../../parts/notice.tsx";
import { useProviderTest } from "../../parts/provider-state.tsx";
import { providers } from "../../state.ts";
import { useForm } from "../../use-form.ts";

/** Configured providers that serve chat. Those without a model come first, because they need one before they can be called. */
const chatProviders = () =>
  providers.value
    .filter(({ configured, services }) => configured && services.includes("chat"))
    .sort((a, b) => Number(a.models > 0) - Number(b.models > 0));

/** `model`: the one to change; null to add one. */
type Props = { model: ModelRow | null; onSaved: (all: ModelsAnswer) => void; onClose: () => void };

/** What is typed in; an empty number is null. */
type Terms = {
  id: string;
  provider: string;
  upstream_model: string;
  context_window: number | null;
  input_usd_per_million: number | null;
  output_usd_per_million: number | null;
};

export const ModelDialog = ({ model, onSaved, onClose }: Props) => {
  const choices = chatProviders();
  const begun: Terms = {
    ...{ id: "", provider: choices[0]?.id ?? "", upstream_model: model?.id ?? "" },
    ...{ context_window: null, input_usd_per_million: null, output_usd_per_million: null },
    ...model?.added,
  };
  const form = useForm(begun, async (values) => {
    const upstream_model = values.upstream_model.trim();
    const id = values.id.trim() || upstream_model;
    onSaved(await call<ModelsAnswer>(model ? "PATCH" : "POST", "/models", { ...values, id, upstream_model }));
    say(model ? `${id} is changed; it holds from the next call on.` : `${id} is added. Callers can name it now.`);
    await loadProviders();
    onClose();
  });
  const { field } = form;
  const { provider, upstream_model: upstream } = form.values;
  const { test: listing } = useProviderTest(provider, provider !== "");
  return (
    <FormDialog
      title={model ? `Edit ${model.id}` : "Add a model"}
      action={model ? "Save" : "Add the model"}
      form={form}
      disabled={provider === "" || upstream.trim() === ""}
      onClose={onClose}
    >
      <SelectField
        label="Provider"
        {...field("provider")}
        options={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
        hint={choices.length === 0 ? "Add a provider first." : undefined}
      />
      <TextField
        label="Model at the provider"
        {...field("upstream_model")}
        placeholder="llama-4-70b-instruct"
        list={listing?.models ?? []}
        hint={listing?.message ?? "The provider's own name for it. Those that it lists are suggested."}
      />
      {model === null && <TextField label="Id for callers" {...field("id")} placeholder={upstream.trim() || "the same"} />}
      <div class="form-grid">
        <NumberField label="Input (USD per million)" min={0} {...field("input_usd_per_million")} />
        <NumberField label="Output (USD per million)" min={0} {...field("output_usd_per_million")} />
      </div>
      <p class="small muted">
        0 is free. A model without prices counts as the most expensive one, so that ceilings and budgets hold.
      </p>
      <NumberField
        label="Context window (tokens)"
        min={1}
        step={1}
        placeholder="32768"
        hint="It is assumed to call tools and to write JSON. To give it other abilities, describe it in signalbox.yaml instead."
        {...field("context_window")}
      />
    </FormDialog>
  );
};
