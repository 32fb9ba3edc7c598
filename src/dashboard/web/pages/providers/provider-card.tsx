/** One provider that is set up: its key's end, its address, the health of its models, a test. */

import type { ProviderRow, TargetHealth } from "../../../wire.ts";
import { askProviders } from "../../ask-providers.ts";
import { DASH, milliseconds, moment, percent } from "../../format.ts";
import { Switch } from "../../parts/controls.tsx";
import { AskFirst, Opens } from "../../parts/dialog.tsx";
import { FactList } from "../../parts/figures.tsx";
import { healthTone, Lamp, type Tone } from "../../parts/lamp.tsx";
import { attempt, Note } from "../../parts/notice.tsx";
import { SOURCES, TestLamp, useProviderTest } from "../../parts/provider-state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { EditProvider } from "./provider-dialogs.tsx";

const worst = ({ health, configured, enabled }: ProviderRow): { tone: Tone; text: string } => {
  if (!enabled) return { tone: "off", text: "switched off" };
  if (!configured) return { tone: "off", text: "not in use" };
  if (health.length === 0) return { tone: "off", text: "not called since the start" };
  const state = ["down", "degraded"].find((one) => health.some((target) => target.state === one)) ?? "healthy";
  if (state === "healthy" && health.every(isSilent)) return { tone: "amber", text: "no answer yet" };
  return { tone: healthTone(state), text: state };
};

const keysOf = ({ configured, key_ends }: ProviderRow): string =>
  !configured ? DASH : key_ends.length === 0 ? "none needed" : key_ends.map((end) => `…${end}`).join(", ");

/** It was called, but has never answered since the server started. */
const isSilent = ({ calls, p50_latency_ms }: TargetHealth): boolean => calls > 0 && p50_latency_ms === null;

/** A provider that was just added or edited is tested at once, so that a mistyped key shows here and not in a caller's error. */
export const ProviderCard = ({ provider, isNew }: { provider: ProviderRow; isNew: boolean }) => {
  const { test, running, run } = useProviderTest(provider.id, isNew);
  const { tone, text } = worst(provider);
  const path = `/providers/${provider.id}`;
  return (
    <section class="card provider-card">
      <div class="card-head">
        <h2>{provider.name}</h2>
        <Lamp tone={tone}>{text}</Lamp>
      </div>
      <FactList
        facts={[
          ["Key", keysOf(provider)],
          ["Set up", provider.source ? SOURCES[provider.source] : DASH],
          ["Address", provider.base_url?.replace(/^https?:\/\//, "") ?? DASH],
          ["Serves", provider.services.join(", ") || DASH],
        ]}
      />
      {provider.configured && provider.models === 0 && provider.services.includes("chat") && (
        <p class="small muted">It has no models yet: add those you want under “Models”.</p>
      )}
      {provider.health.length > 0 && (
        <Table
          class="small compared"
          label={`Health of ${provider.name}`}
          columns={HEALTH}
          rows={provider.health}
          keyOf={({ model }) => model}
        />
      )}
      <div class="row between foot">
        <Switch
          label={`Use ${provider.name}`}
          checked={provider.enabled}
          disabled={provider.source === "file"}
          onChange={(enabled) => attempt(() => askProviders("PUT", path, { enabled }))}
        />
        <div class="row">
          <span role="status">{(running || test) && <TestLamp test={test} />}</span>
          <button type="button" class="button small" onClick={run} disabled={!provider.configured || running}>
            Test
          </button>
          <Opens class="button small" label="Edit">
            {(close) => <EditProvider provider={provider} onStored={() => void run()} onClose={close} />}
          </Opens>
          {provider.stored_here && (
            <AskFirst
              class="button small danger"
              label="Remove"
              title={`Remove ${provider.name}?`}
              action="Remove"
              done={`${provider.name} is removed.`}
              onConfirm={() => askProviders("DELETE", path)}
            >
              Its stored key and address are deleted. Its models stay in the list, but can be called only if a variable or
              signalbox.yaml still sets the provider up.
            </AskFirst>
          )}
        </div>
      </div>
      {test?.message && <Note tone={test.ok === false ? "red" : "amber"}>{test.message}</Note>}
    </section>
  );
};

const TargetLamp = ({ target }: { target: TargetHealth }) => {
  if (target.available_at) return <Lamp tone={healthTone(target.state)}>rests until {moment(target.available_at)}</Lamp>;
  if (target.state === "healthy" && isSilent(target)) return <Lamp tone="amber">no answer yet</Lamp>;
  return <Lamp tone={healthTone(target.state)}>{target.state}</Lamp>;
};

const HEALTH: Column<TargetHealth>[] = [
  { head: "Model", class: "name", cell: ({ model }) => model },
  { head: "State", cell: (target) => <TargetLamp target={target} /> },
  { head: "Typical", class: "number", cell: ({ p50_latency_ms }) => milliseconds(p50_latency_ms) },
  { head: "Slow (p95)", class: "number", cell: ({ p95_latency_ms }) => milliseconds(p95_latency_ms) },
  {
    head: "Errors now",
    note: "Of the last 30 seconds",
    class: "number",
    cell: (target) => (isSilent(target) && target.error_rate === 0 ? DASH : percent(target.error_rate)),
  },
];
