/**
 * The dialog that adds or changes a chat model that the catalog lacks: one of an endpoint of your own, or a new one of a known provider.
 */

import { useState } from "preact/hooks";
import type { ModelRow, ProvidersAnswer, ProviderTest } from "../../../wire.ts";
import { call, get } from "../../api.ts";
import { NumberField, SelectField, TextField } from "../../parts/controls.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { Problem } from "../../parts/notice.tsx";
import { providers } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import { useSubmit } from "../../use-submit.ts";

type Models = { models: ModelRow[] };

/** Configured providers that serve chat. Those without a model come first, because they need one before they can be called. */
const chatProviders = () =>
  (providers.value ?? [])
    .filter(({ configured, services }) => configured && services.includes("chat"))
    .sort((a, b) => Number(a.models > 0) - Number(b.models > 0));

/** `model`: the one to change; null to add one. */
type Props = { model: ModelRow | null; onSaved: (models: Models) => void; onClose: () => void };

export const ModelDialog = ({ model, onSaved, onClose }: Props) => {
  const terms = model?.added;
  const choices = chatProviders();
  const [provider, setProvider] = useState(model?.provider ?? choices[0]?.id ?? "");
  const listed = useLoad(provider === "" ? null : `listed by ${provider}`, (signal) =>
    call<ProviderTest>("POST", `/providers/${provider}/test`, undefined, signal),
  );
  // While the listing loads, its data is that of the provider chosen before.
  const listing = listed.loading ? null : listed.data;
  const [upstream, setUpstream] = useState(terms?.upstream_model ?? model?.id ?? "");
  const [id, setId] = useState("");
  const [context, setContext] = useState(terms?.context_window ?? null);
  const [input, setInput] = useState(terms?.input_usd_per_million ?? null);
  const [output, setOutput] = useState(terms?.output_usd_per_million ?? null);
  const { busy, failure, problems, submit } = useSubmit(async () => {
    const upstreamModel = upstream.trim();
    const models = await call<Models>(model ? "PATCH" : "POST", "/models", {
      id: model?.id ?? (id.trim() || upstreamModel),
      provider,
      upstream_model: upstreamModel,
      ...(context !== null && { context_window: context }),
      ...(input !== null && { input_usd_per_million: input }),
      ...(output !== null && { output_usd_per_million: output }),
    });
    providers.value = (await get<ProvidersAnswer>("/providers")).providers;
    onSaved(models);
    onClose();
  }, ["id", "upstream_model", "context_window", "input_usd_per_million", "output_usd_per_million"]);
  return (
    <FormDialog
      title={model ? `Edit ${model.id}` : "Add a model"}
      action={model ? "Save" : "Add the model"}
      disabled={busy || provider === "" || upstream.trim() === ""}
      onClose={onClose}
      onSubmit={submit}
    >
      {failure && <Problem failure={failure} />}
      <SelectField
        label="Provider"
        value={provider}
        onChange={setProvider}
        options={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
        hint={choices.length === 0 ? "Add a provider first." : undefined}
      />
      <TextField
        label="Model at the provider"
        value={upstream}
        onChange={setUpstream}
        placeholder="llama-4-70b-instruct"
        list={listing?.models ?? []}
        hint={listing?.message ?? "The provider's own name for it. Those that it lists are suggested."}
        problem={problems["upstream_model"]?.message}
      />
      {model === null && (
        <TextField
          label="Id for callers"
          value={id}
          onChange={setId}
          placeholder={upstream.trim() || "the same"}
          problem={problems["id"]?.message}
        />
      )}
      <div class="form-grid">
        <NumberField
          label="Input (USD per million)"
          value={input}
          onChange={setInput}
          min={0}
          problem={problems["input_usd_per_million"]?.message}
        />
        <NumberField
          label="Output (USD per million)"
          value={output}
          onChange={setOutput}
          min={0}
          problem={problems["output_usd_per_million"]?.message}
        />
      </div>
      <p class="small muted">
        0 is free. A model without prices counts as the most expensive one, so that ceilings and budgets hold.
      </p>
      <NumberField
        label="Context window (tokens)"
        value={context}
        onChange={setContext}
        min={1}
        placeholder="32768"
        problem={problems["context_window"]?.message}
        hint="It is assumed to call tools and to write JSON. To give it other abilities, describe it in signalbox.yaml instead."
      />
    </FormDialog>
  );
};
