/** Setting a provider up or changing it; what is typed as a key goes to the server sealed and never comes back. */

import { useState } from "preact/hooks";
import type { ProviderRow } from "../../../wire.ts";
import { call, type Failure } from "../../api.ts";
import { SelectField, TextField } from "../../parts/controls.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Note, Problem } from "../../parts/notice.tsx";
import { providers } from "../../state.ts";

export const SOURCES = {
  environment: "the environment",
  file: "signalbox.yaml",
  dashboard: "set here",
  discovered: "found on this machine",
};

const useStore = (id: string, onClose: () => void) => {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const store = async (body: object) => {
    setBusy(true);
    try {
      providers.value = (await call<{ providers: ProviderRow[] }>("PUT", `/providers/${id}`, body)).providers;
      onClose();
    } catch (error) {
      setFailure(error as Failure);
    }
    setBusy(false);
  };
  return { failure, busy, store };
};

export const EditProvider = ({ provider, onClose }: { provider: ProviderRow; onClose: () => void }) => {
  const [key, setKey] = useState("");
  const [url, setUrl] = useState(provider.base_url ?? "");
  const { failure, busy, store } = useStore(provider.id, onClose);
  const fixed = provider.source === "environment" || provider.source === "file";
  return (
    <Dialog
      title={provider.name}
      onClose={onClose}
      onSubmit={() => store({ ...(key && { key }), ...(url && url !== provider.base_url && { base_url: url }), enabled: true })}
      footer={
        <>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={busy}>
            Save
          </button>
        </>
      }
    >
      {fixed && (
        <Note tone="amber">This provider is set up by {SOURCES[provider.source!]}, which wins over what is stored here.</Note>
      )}
      {failure && failure.param !== "base_url" && failure.param !== "key" && <Problem failure={failure} />}
      <TextField
        label="API key"
        type="password"
        value={key}
        onChange={setKey}
        problem={failure?.param === "key" ? failure.message : null}
        hint={
          provider.key_ends.length > 0
            ? `Leave it empty to keep the one that ends in ${provider.key_ends[0]}.`
            : "Kept encrypted; only its last four characters are ever shown again."
        }
      />
      <TextField
        label="Address"
        type="url"
        value={url}
        onChange={setUrl}
        problem={failure?.param === "base_url" ? failure.message : null}
      />
    </Dialog>
  );
};

export const AddProvider = ({ all, onClose }: { all: ProviderRow[]; onClose: () => void }) => {
  const [id, setId] = useState(all.find(({ configured }) => !configured)?.id ?? "custom");
  const [name, setName] = useState("");
  const [dialect, setDialect] = useState("openai");
  const [key, setKey] = useState("");
  const [url, setUrl] = useState("");
  const custom = id === "custom";
  const known = all.find((provider) => provider.id === id);
  const { failure, busy, store } = useStore(custom ? name : id, onClose);
  return (
    <Dialog
      title="Add a provider"
      onClose={onClose}
      onSubmit={() => store({ ...(key && { key }), ...(url && { base_url: url }), ...(custom && { dialect }), enabled: true })}
      footer={
        <>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class="button primary"
            disabled={busy || (custom ? name === "" || url === "" : key === "" && url === "")}
          >
            Add
          </button>
        </>
      }
    >
      {failure && failure.param !== "base_url" && <Problem failure={failure} />}
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
            onChange={(text) => setName(text.toLowerCase())}
            placeholder="my-server"
            hint="Lower-case letters, digits, - and _."
          />
          <SelectField
            label="Speaks"
            value={dialect}
            onChange={setDialect}
            options={[
              { value: "openai", label: "OpenAI chat completions" },
              { value: "anthropic", label: "Anthropic messages" },
              { value: "google", label: "Gemini" },
              { value: "ollama", label: "Ollama" },
            ]}
          />
        </div>
      )}
      <TextField
        label="API key"
        type="password"
        value={key}
        onChange={setKey}
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
        value={url}
        onChange={setUrl}
        placeholder={known?.base_url ?? "http://127.0.0.1:8000/v1"}
        hint={dialect === "openai" || !custom ? "Ends in /v1 for OpenAI's dialect." : undefined}
        problem={failure?.param === "base_url" ? failure.message : null}
      />
    </Dialog>
  );
};
