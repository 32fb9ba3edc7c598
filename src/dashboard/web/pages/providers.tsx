/** Providers and models: what can be called, how it fares, what it costs, until when. Keys typed in here are kept encrypted. */

import { useMemo, useState } from "preact/hooks";
import type { ModelRow, ProviderRow, ProviderTest } from "../../wire.ts";
import { call, type Failure, get } from "../api.ts";
import { DASH, day, milliseconds, percent, plural, short, when } from "../format.ts";
import { Check, SelectField, Switch, TextField } from "../parts/controls.tsx";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { Badge, healthTone, Lamp, type Tone } from "../parts/lamp.tsx";
import { attempt, Empty, Note, Problem, Skeleton } from "../parts/notice.tsx";
import { Card, Page, Scroll } from "../parts/page.tsx";
import { hrefTo, queryOf, setQuery } from "../router.ts";
import { providers } from "../state.ts";
import { useEvery, useLoad } from "../use-load.ts";
import { ProviderHistory } from "./provider-history.tsx";
import { TestLamp } from "./start.tsx";

const HEALTH_EVERY_MS = 10_000;

export const Providers = () => {
  const load = async () => {
    providers.value = (await get<{ providers: ProviderRow[] }>("/providers")).providers;
  };
  useEvery(HEALTH_EVERY_MS, () => void load().catch(() => {}));
  const all = providers.value ?? [];
  const shown = [...all].sort((a, b) => Number(b.configured) - Number(a.configured));
  return (
    <Page
      title="Providers & models"
      lead="A provider is set up by a variable, by signalbox.yaml or here, in that order of weight."
      actions={
        <button type="button" class="button primary" onClick={() => setQuery({ add: "true" })}>
          <Icon name="plus" /> Add a provider
        </button>
      }
    >
      <div class="provider-cards">
        {shown
          .filter(({ configured, stored_here }) => configured || stored_here)
          .map((provider) => (
            <ProviderCard key={provider.id} provider={provider} />
          ))}
      </div>
      {!all.some(({ configured }) => configured) && (
        <Card>
          <Empty title="No provider is set up">
            <p>
              Live calls answer 503 until one is. Paste a key, set a variable such as OPENAI_API_KEY, or start Ollama on this
              machine.
            </p>
            <button type="button" class="button primary" onClick={() => setQuery({ add: "true" })}>
              Add a provider
            </button>
          </Empty>
        </Card>
      )}
      <ProviderHistory />
      <Models />
      {queryOf("add") !== null && <AddProvider all={all} onClose={() => setQuery({ add: null })} />}
    </Page>
  );
};

const worst = ({ health, configured, enabled }: ProviderRow): { tone: Tone; text: string } => {
  if (!enabled) return { tone: "off", text: "switched off" };
  if (!configured) return { tone: "off", text: "not in use" };
  if (health.length === 0) return { tone: "off", text: "not called yet" };
  const state = health.some((target) => target.state === "down")
    ? "down"
    : health.some((target) => target.state === "degraded")
      ? "degraded"
      : "healthy";
  return { tone: healthTone(state), text: state };
};

const SOURCES = {
  environment: "environment",
  file: "signalbox.yaml",
  dashboard: "set here",
  discovered: "found on this machine",
};

const ProviderCard = ({ provider }: { provider: ProviderRow }) => {
  const [test, setTest] = useState<ProviderTest | "running" | undefined>();
  const [editing, setEditing] = useState(false);
  const [removing, setRemoving] = useState(false);
  const { tone, text } = worst(provider);
  const run = async () => {
    setTest("running");
    const went = await attempt(async () => setTest(await call<ProviderTest>("POST", `/providers/${provider.id}/test`)));
    if (!went) setTest(undefined);
  };
  const store = (body: object) =>
    attempt(async () => {
      providers.value = (await call<{ providers: ProviderRow[] }>("PUT", `/providers/${provider.id}`, body)).providers;
    });
  return (
    <section class="card provider-card">
      <div class="card-head">
        <h2>{provider.name}</h2>
        <Lamp tone={tone}>{text}</Lamp>
      </div>
      <dl class="facts small">
        <div>
          <dt>Key</dt>
          <dd>{provider.key_ends.length === 0 ? "none needed" : provider.key_ends.map((end) => `…${end}`).join(", ")}</dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>{provider.source ? SOURCES[provider.source] : DASH}</dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>{provider.base_url?.replace(/^https?:\/\//, "") ?? DASH}</dd>
        </div>
        <div>
          <dt>Serves</dt>
          <dd>{provider.services.join(", ") || DASH}</dd>
        </div>
      </dl>
      {provider.health.length > 0 && <HealthTable provider={provider} />}
      <div class="row between foot">
        <Switch
          label={`Use ${provider.name}`}
          checked={provider.enabled}
          disabled={provider.source === "file"}
          onChange={(enabled) => store({ enabled })}
        />
        <div class="row">
          {test === "running" ? <TestLamp test={null} /> : test && <TestLamp test={test} />}
          <button type="button" class="button small" onClick={run} disabled={!provider.configured || test === "running"}>
            Test
          </button>
          <button type="button" class="button small" onClick={() => setEditing(true)}>
            Edit
          </button>
          {provider.stored_here && (
            <button type="button" class="button small danger" onClick={() => setRemoving(true)}>
              Remove
            </button>
          )}
        </div>
      </div>
      {test && test !== "running" && test.ok === false && <Note tone="red">{test.message}</Note>}
      {editing && <EditProvider provider={provider} onClose={() => setEditing(false)} />}
      {removing && (
        <Confirm
          title={`Remove ${provider.name}?`}
          action="Remove"
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            attempt(async () => {
              providers.value = (await call<{ providers: ProviderRow[] }>("DELETE", `/providers/${provider.id}`)).providers;
            }, `${provider.name} is removed.`)
          }
        >
          The key that is stored here is deleted. A variable or signalbox.yaml that sets the provider up keeps doing so.
        </Confirm>
      )}
    </section>
  );
};

const HealthTable = ({ provider }: { provider: ProviderRow }) => (
  <Scroll label={`Health of ${provider.name}`}>
    <table class="small">
      <thead>
        <tr>
          <th>Model</th>
          <th>State</th>
          <th class="number">Typical</th>
          <th class="number">Slow (p95)</th>
          <th class="number">Errors</th>
        </tr>
      </thead>
      <tbody>
        {provider.health.map((target) => (
          <tr key={target.model}>
            <td>
              <span class="clip">{target.model}</span>
            </td>
            <td>
              <Lamp tone={healthTone(target.state)}>
                {target.available_at ? `rests until ${when(target.available_at)}` : target.state}
              </Lamp>
            </td>
            <td class="number">{milliseconds(target.p50_latency_ms)}</td>
            <td class="number">{milliseconds(target.p95_latency_ms)}</td>
            <td class="number">{percent(target.error_rate)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);

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

const EditProvider = ({ provider, onClose }: { provider: ProviderRow; onClose: () => void }) => {
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
      {failure && failure.param !== "base_url" && <Problem failure={failure} />}
      <TextField
        label="API key"
        type="password"
        value={key}
        onChange={setKey}
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

const AddProvider = ({ all, onClose }: { all: ProviderRow[]; onClose: () => void }) => {
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

const Models = () => {
  const { data, failure, reload } = useLoad("models", () => get<{ models: ModelRow[] }>("/models"));
  const find = queryOf("find") ?? "";
  const onlyCallable = queryOf("callable") === "true";
  const provider = queryOf("provider") ?? "";
  const rows = useMemo(
    () =>
      (data?.models ?? [])
        .filter((model) => `${model.id} ${model.name} ${model.provider}`.toLowerCase().includes(find.toLowerCase()))
        .filter((model) => (!onlyCallable || model.callable) && (provider === "" || model.provider === provider)),
    [data, find, onlyCallable, provider],
  );
  const names = [...new Set((data?.models ?? []).map((model) => model.provider))];
  return (
    <Card flush title="Models" note={data ? `${plural(rows.length, "model")}. Prices are USD per million tokens.` : undefined}>
      <div class="filters">
        <TextField
          label="Find"
          type="search"
          value={find}
          onChange={(text) => setQuery({ find: text })}
          placeholder="name or id"
        />
        <SelectField
          label="Provider"
          value={provider}
          onChange={(value) => setQuery({ provider: value })}
          options={[{ value: "", label: "All" }, ...names.map((name) => ({ value: name, label: name }))]}
        />
        <Check
          label="Only what can be called now"
          checked={onlyCallable}
          onChange={(on) => setQuery({ callable: on ? "true" : null })}
        />
      </div>
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={320} />}
      {data && rows.length === 0 && (
        <Empty title="No model fits">
          <p>Take a filter away to see more.</p>
        </Empty>
      )}
      {rows.length > 0 && (
        <Scroll label="Models">
          <table>
            <thead>
              <tr>
                <th>Model</th>
                <th>Provider</th>
                <th class="number">Input</th>
                <th class="number">Cached</th>
                <th class="number">Output</th>
                <th class="number">Context</th>
                <th>Can</th>
                <th>Ends</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((model) => (
                <ModelLine key={`${model.provider}/${model.id}`} model={model} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Card>
  );
};

const SHOWN_ABILITIES: Record<string, string> = {
  vision: "images",
  audio_input: "audio",
  video_input: "video",
  pdf_input: "PDF",
  tools: "tools",
  json_schema: "schema",
  reasoning: "thinks",
};
const price = (usd: number | undefined): string =>
  usd === undefined ? DASH : usd === 0 ? "free" : `$${usd < 1 ? usd.toPrecision(2) : usd.toFixed(2)}`;

const ModelLine = ({ model }: { model: ModelRow }) => (
  <tr>
    <td>
      <Lamp tone={model.callable ? healthTone(model.state) : "off"}>
        <a class="row-link" href={hrefTo("calls", null, { model: model.id })} title={`Calls of ${model.name}`}>
          {model.id}
        </a>
      </Lamp>
    </td>
    <td>{model.provider}</td>
    <td class="number">{price(model.prices?.input_usd)}</td>
    <td class="number">{price(model.prices?.cached_usd)}</td>
    <td class="number">{price(model.prices?.output_usd)}</td>
    <td class="number">{short(model.context_window)}</td>
    <td>
      <span class="row tags">
        {model.abilities
          .filter((ability) => ability in SHOWN_ABILITIES)
          .map((ability) => (
            <Badge key={ability}>{SHOWN_ABILITIES[ability]}</Badge>
          ))}
      </span>
    </td>
    <td class="nowrap">
      {model.shutdown_date ? (
        <Badge tone={Date.parse(model.shutdown_date) < Date.now() ? "red" : "amber"}>{day(model.shutdown_date)}</Badge>
      ) : (
        DASH
      )}
    </td>
  </tr>
);
