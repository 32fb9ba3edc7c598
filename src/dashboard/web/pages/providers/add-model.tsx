/** The dialog that adds a chat model that the catalog lacks: one of an endpoint of your own, or a new one of a known provider. */

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

export const AddModel = ({ onAdded, onClose }: { onAdded: (models: Models) => void; onClose: () => void }) => {
  const choices = chatProviders();
  const [provider, setProvider] = useState(choices[0]?.id ?? "");
  const listed = useLoad(provider === "" ? null : `listed by ${provider}`, (signal) =>
    call<ProviderTest>("POST", `/providers/${provider}/test`, undefined, signal),
  );
  // While the listing loads, its data is that of the provider chosen before.
  const listing = listed.loading ? null : listed.data;
  const [upstream, setUpstream] = useState("");
  const [id, setId] = useState("");
  const [context, setContext] = useState<number | null>(null);
  const [input, setInput] = useState<number | null>(null);
  const [output, setOutput] = useState<number | null>(null);
  const { busy, failure, submit } = useSubmit(async () => {
    const upstreamModel = upstream.trim();
    const models = await call<Models>("POST", "/models", {
      id: id.trim() || upstreamModel,
      provider,
      upstream_model: upstreamModel,
      ...(context !== null && { context_window: context }),
      ...(input !== null && { input_usd_per_million: input }),
      ...(output !== null && { output_usd_per_million: output }),
    });
    providers.value = (await get<ProvidersAnswer>("/providers")).providers;
    onAdded(models);
    onClose();
  });
  const problemOf = (field: string) => (failure?.param === field ? failure.message : null);
  const isBeside = ["id", "upstream_model", "context_window", "input_usd_per_million", "output_usd_per_million"];
  return (
    <FormDialog
      title="Add a model"
      action="Add the model"
      disabled={busy || provider === "" || upstream.trim() === ""}
      onClose={onClose}
      onSubmit={submit}
    >
      {failure && !isBeside.includes(failure.param ?? "") && <Problem failure={failure} />}
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
        problem={problemOf("upstream_model")}
      />
      <TextField
        label="Id for callers"
        value={id}
        onChange={setId}
        placeholder={upstream.trim() || "the same"}
        problem={problemOf("id")}
      />
      <div class="form-grid">
        <NumberField
          label="Input (USD per million)"
          value={input}
          onChange={setInput}
          min={0}
          problem={problemOf("input_usd_per_million")}
        />
        <NumberField
          label="Output (USD per million)"
          value={output}
          onChange={setOutput}
          min={0}
          problem={problemOf("output_usd_per_million")}
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
        problem={problemOf("context_window")}
        hint="It is assumed to call tools and to write JSON. To give it other abilities, describe it in signalbox.yaml instead."
      />
    </FormDialog>
  );
};
