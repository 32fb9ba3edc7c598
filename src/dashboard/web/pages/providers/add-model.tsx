/** A chat model that the catalog does not know: what an endpoint of one's own serves, or what a provider has offered only lately. */

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

/** Chat is asked for by these; those with no models in the catalog come first, since nothing of them can be called yet. */
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
        list={listed.data?.models ?? []}
        hint="As the provider calls it. Those that it lists are offered."
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
      <p class="small muted">0 is free. Without a price it counts as the dearest model, so that ceilings and budgets hold.</p>
      <NumberField
        label="Context window (tokens)"
        value={context}
        onChange={setContext}
        min={1}
        placeholder="32768"
        problem={problemOf("context_window")}
        hint="What it can do besides, and how well, can be said in signalbox.yaml."
      />
    </FormDialog>
  );
};
