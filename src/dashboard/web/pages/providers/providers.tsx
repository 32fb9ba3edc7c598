/** Providers and models with their health, prices and shutdown dates. Keys typed in here are stored encrypted. */

import { useEffect, useState } from "preact/hooks";
import type { ProviderRow, ProvidersAnswer, ProviderTest, TargetHealth } from "../../../wire.ts";
import { call, get } from "../../api.ts";
import { DASH, milliseconds, moment, percent } from "../../format.ts";
import { Switch } from "../../parts/controls.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { healthTone, Lamp, type Tone } from "../../parts/lamp.tsx";
import { attempt, Empty, Note } from "../../parts/notice.tsx";
import { Card, Page, Scroll } from "../../parts/page.tsx";
import { queryOf, setQuery } from "../../router.ts";
import { providers } from "../../state.ts";
import { useEvery } from "../../use-load.ts";
import { TestLamp } from "../start.tsx";
import { Models } from "./models.tsx";
import { AddProvider, EditProvider, SOURCES } from "./provider-dialogs.tsx";
import { ProviderHistory } from "./provider-history.tsx";
import { SearchOrder } from "./search-order.tsx";
import { TrySearch } from "./try-search.tsx";

const HEALTH_EVERY_MS = 10_000;

export const Providers = () => {
  const [answer, setAnswer] = useState<ProvidersAnswer | null>(null);
  const show = (next: ProvidersAnswer) => {
    providers.value = next.providers;
    setAnswer(next);
  };
  const load = async () => show(await get<ProvidersAnswer>("/providers"));
  useEffect(() => void load().catch(() => {}), []);
  useEvery(HEALTH_EVERY_MS, () => load().catch(() => {}));
  const all = providers.value ?? [];
  const shown = [...all].sort((a, b) => Number(b.configured) - Number(a.configured));
  return (
    <Page
      title="Providers & models"
      lead="A provider is set up by a variable, by signalbox.yaml or here, in this order of precedence."
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
      {answer && <SearchOrder answer={answer} onChange={show} />}
      <TrySearch />
      {queryOf("add") !== null && <AddProvider all={all} onClose={() => setQuery({ add: null })} />}
    </Page>
  );
};

const worst = ({ health, configured, enabled }: ProviderRow): { tone: Tone; text: string } => {
  if (!enabled) return { tone: "off", text: "switched off" };
  if (!configured) return { tone: "off", text: "not in use" };
  if (health.length === 0) return { tone: "off", text: "not called since the start" };
  const state = health.some((target) => target.state === "down")
    ? "down"
    : health.some((target) => target.state === "degraded")
      ? "degraded"
      : "healthy";
  if (state === "healthy" && health.every(isSilent)) return { tone: "amber", text: "no answer yet" };
  return { tone: healthTone(state), text: state };
};

const keysOf = ({ configured, key_ends }: ProviderRow): string =>
  !configured ? DASH : key_ends.length === 0 ? "none needed" : key_ends.map((end) => `…${end}`).join(", ");

/** It was called, but has never answered since the server started. */
const isSilent = ({ calls, p50_latency_ms }: TargetHealth): boolean => calls > 0 && p50_latency_ms === null;

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
          <dd>{keysOf(provider)}</dd>
        </div>
        <div>
          <dt>Set up</dt>
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
      {provider.configured && provider.models === 0 && provider.services.includes("chat") && (
        <p class="small muted">It has no models yet: add those you want under “Models”.</p>
      )}
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
          Its stored key and address are deleted. Its models stay in the list, but can be called only if a variable or
          signalbox.yaml still sets the provider up.
        </Confirm>
      )}
    </section>
  );
};

const TargetLamp = ({ target }: { target: TargetHealth }) => {
  if (target.available_at) return <Lamp tone={healthTone(target.state)}>rests until {moment(target.available_at)}</Lamp>;
  if (target.state === "healthy" && isSilent(target)) return <Lamp tone="amber">no answer yet</Lamp>;
  return <Lamp tone={healthTone(target.state)}>{target.state}</Lamp>;
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
          <th class="number" title="Of the last 30 seconds">
            Errors now
          </th>
        </tr>
      </thead>
      <tbody>
        {provider.health.map((target) => (
          <tr key={target.model}>
            <td>
              <span class="clip">{target.model}</span>
            </td>
            <td>
              <TargetLamp target={target} />
            </td>
            <td class="number">{milliseconds(target.p50_latency_ms)}</td>
            <td class="number">{milliseconds(target.p95_latency_ms)}</td>
            <td class="number">{isSilent(target) && target.error_rate === 0 ? DASH : percent(target.error_rate)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
