/** The dialogs that add or change a provider. A key that is typed in is stored encrypted and never sent back. */

import { useState } from "preact/hooks";
import type { SpokenDialect } from "../../../../catalog/model.ts";
import type { ProviderRow } from "../../../wire.ts";
import { askProviders } from "../../ask-providers.ts";
import { optionsOf, SelectField, TextField } from "../../parts/controls.tsx";
import { FormDialog } from "../../parts/dialog.tsx";
import { Note } from "../../parts/notice.tsx";
import { SOURCES } from "../../parts/provider-state.tsx";
import { useFields } from "../../use-fields.ts";
import { useSubmit } from "../../use-submit.ts";

const DIALECT_LABELS: Record<SpokenDialect, string> = {
  openai: "OpenAI chat completions",
  "openai-responses": "OpenAI responses",
  anthropic: "Anthropic messages",
  google: "Gemini",
  ollama: "Ollama",
};

type Closing = { onClose(): void; onStored(id: string): void };

/** Stores `bodyOf()` as the provider's settings, and closes the dialog. */
const useStore = (id: string, { onClose, onStored }: Closing, bodyOf: () => object) =>
  useSubmit(async () => {
    await askProviders("PUT", `/providers/${id}`, { ...bodyOf(), enabled: true });
    onStored(id);
    onClose();
  }, ["id", "key", "base_url"]);

export const EditProvider = ({ provider, ...closing }: { provider: ProviderRow } & Closing) => {
  const { values, field } = useFields({ key: "", base_url: provider.base_url ?? "" });
  const { key, base_url: url } = values;
  const form = useStore(provider.id, closing, () => ({
    ...(key && { key }),
    ...(url.trim() && url.trim() !== provider.base_url && { base_url: url.trim() }),
  }));
  const fixed = provider.source === "environment" || provider.source === "file";
  return (
    <FormDialog title={provider.name} action="Save" form={form} onClose={closing.onClose}>
      {fixed && (
        <Note tone="amber">This provider is set up {SOURCES[provider.source!]}, which wins over what is stored here.</Note>
      )}
      <TextField
        label="API key"
        type="password"
        {...field("key")}
        problem={form.problems["key"]}
        hint={
          provider.key_ends.length > 0
            ? `Leave it empty to keep the one that ends in ${provider.key_ends[0]}.`
            : "Kept encrypted; only its last four characters are ever shown again."
        }
      />
      <TextField label="Address" type="url" {...field("base_url")} problem={form.problems["base_url"]} />
    </FormDialog>
  );
};

export const AddProvider = ({ all, ...closing }: { all: ProviderRow[] } & Closing) => {
  const [id, setId] = useState(all.find(({ configured }) => !configured)?.id ?? "custom");
  const { values, change, field } = useFields({ name: "", dialect: "openai", key: "", base_url: "" });
  const { name, dialect, key, base_url: url } = values;
  const custom = id === "custom";
  const known = all.find((provider) => provider.id === id);
  const endsInVersion = custom ? dialect.startsWith("openai") : known?.base_url?.endsWith("/v1");
  const form = useStore(custom ? name.trim() : id, closing, () => ({
    ...(key && { key }),
    ...(url.trim() && { base_url: url.trim() }),
    ...(custom && { dialect }),
  }));
  const isIncomplete = custom ? name.trim() === "" || url.trim() === "" : key.trim() === "" && url.trim() === "";
  return (
    <FormDialog title="Add a provider" action="Add" form={form} disabled={isIncomplete} onClose={closing.onClose}>
      <SelectField
        label="Provider"
        value={id}
        onChange={setId}
        options={[
          ...all.filter(({ configured }) => !configured).map((provider) => ({ value: provider.id, label: provider.name })),
          { value: "custom", label: "Any other endpoint (vLLM, LM Studio, a company gateway, …)" },
        ]}
      />
      {custom && (
        <div class="form-grid">
          <TextField
            label="Id"
            value={name}
            onChange={(text) => change({ name: text.toLowerCase() })}
            placeholder="my-server"
            hint="Lower-case letters, digits, - and _."
            problem={form.problems["id"]}
          />
          <SelectField label="Speaks" {...field("dialect")} options={optionsOf(DIALECT_LABELS)} />
        </div>
      )}
      <TextField
        label="API key"
        type="password"
        {...field("key")}
        problem={form.problems["key"]}
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
        problem={form.problems["base_url"]}
      />
    </FormDialog>
  );
};
