/** The dialogs that add or change a provider. A key that is typed in is stored encrypted and never sent back. */

import { useState } from "preact/hooks";
import type { SpokenDialect } from "../../../../catalog/model.ts";
import type { ProviderRow } from "../../../wire.ts";
import { askProviders } from "../../ask-providers.ts";
import { optionsOf, SelectField, TextField } from "../../parts/controls.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { Note } from "../../parts/notice.tsx";
import { SOURCES } from "../../parts/provider-state.tsx";
import { useForm } from "../../use-form.ts";

const DIALECT_LABELS: Record<SpokenDialect, string> = {
  openai: "OpenAI chat completions",
  "openai-responses": "OpenAI responses",
  anthropic: "Anthropic messages",
  google: "Gemini",
  ollama: "Ollama",
};

type Closing = { onClose(): void; onStored(id: string): void };

/** Stores the provider's settings, and closes the dialog. */
const store = async (id: string, settings: object, { onClose, onStored }: Closing): Promise<void> => {
  await askProviders("PUT", `/providers/${id}`, { ...settings, enabled: true });
  onStored(id);
  onClose();
};

export const EditProvider = ({ provider, ...closing }: { provider: ProviderRow } & Closing) => {
  const form = useForm({ key: "", base_url: provider.base_url ?? "" }, ({ key, base_url }) => {
    const url = base_url.trim();
    return store(provider.id, { ...(key && { key }), ...(url && url !== provider.base_url && { base_url: url }) }, closing);
  });
  const fixed = provider.source === "environment" || provider.source === "file";
  return (
    <FormDialog title={provider.name} action="Save" form={form} onClose={closing.onClose}>
      {fixed && (
        <Note tone="amber">This provider is set up {SOURCES[provider.source!]}, which wins over what is stored here.</Note>
      )}
      <TextField
        label="API key"
        type="password"
        {...form.field("key")}
        hint={
          provider.key_ends.length > 0
            ? `Leave it empty to keep the one that ends in ${provider.key_ends[0]}.`
            : "Kept encrypted; only its last four characters are ever shown again."
        }
      />
      <TextField label="Address" type="url" {...form.field("base_url")} />
    </FormDialog>
  );
};

export const AddProvider = ({ all, ...closing }: { all: ProviderRow[] } & Closing) => {
  const [chosen, choose] = useState(all.find(({ configured }) => !configured)?.id ?? "custom");
  const custom = chosen === "custom";
  const known = all.find((provider) => provider.id === chosen);
  const form = useForm({ id: "", dialect: "openai", key: "", base_url: "" }, ({ id, dialect, key, base_url }) => {
    const url = base_url.trim();
    const settings = { ...(key && { key }), ...(url && { base_url: url }), ...(custom && { dialect }) };
    return store(custom ? id.trim() : chosen, settings, closing);
  });
  const { field } = form;
  const { id, dialect, key, base_url: url } = form.values;
  const endsInVersion = custom ? dialect.startsWith("openai") : known?.base_url?.endsWith("/v1");
  const isIncomplete = custom ? id.trim() === "" || url.trim() === "" : key.trim() === "" && url.trim() === "";
  return (
    <FormDialog title="Add a provider" action="Add" form={form} disabled={isIncomplete} onClose={closing.onClose}>
      <SelectField
        label="Provider"
        value={chosen}
        onChange={choose}
        options={[
          ...all.filter(({ configured }) => !configured).map((provider) => ({ value: provider.id, label: provider.name })),
          { value: "custom", label: "Any other endpoint (vLLM, LM Studio, a company gateway, …)" },
        ]}
      />
      {custom && (
        <div class="form-grid">
          <TextField
            label="Id"
            {...field("id")}
            onChange={(text) => form.change({ id: text.toLowerCase() })}
            placeholder="my-server"
            hint="Lower-case letters, digits, - and _."
          />
          <SelectField label="Speaks" {...field("dialect")} options={optionsOf(DIALECT_LABELS)} />
        </div>
      )}
      <TextField
        label="API key"
        type="password"
        {...field("key")}
        hint={
          known && known.key_variables.length > 0 ? (
            <>
              Kept encrypted. Or set <code>{known.key_variables[0]}</code> and start again.
            </>
          ) : (
            "Kept encrypted; leave it empty where none is asked for."
          )
        }
      />
      <TextField
        label={custom ? "Address" : "Address (only if it is not the usual one)"}
        type="url"
        {...field("base_url")}
        placeholder={known?.base_url ?? "http://127.0.0.1:8000/v1"}
        hint={endsInVersion ? "Ends in /v1." : undefined}
      />
    </FormDialog>
  );
};
