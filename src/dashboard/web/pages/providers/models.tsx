/** The catalog's models: their providers, prices, abilities and shutdown dates. */

import { useMemo, useState } from "preact/hooks";
import type { ModelRow } from "../../../wire.ts";
import { call, get } from "../../api.ts";
import { DASH, date, exactUsd, plural, short } from "../../format.ts";
import { Check, SelectField, Switch, TextField } from "../../parts/controls.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Badge, healthTone, Lamp } from "../../parts/lamp.tsx";
import { attempt, Empty, Problem, Skeleton } from "../../parts/notice.tsx";
import { Card, Scroll } from "../../parts/page.tsx";
import { hrefTo, queryOf, setQuery } from "../../router.ts";
import { serverNow } from "../../server-clock.ts";
import { providers } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import { ModelDialog } from "./model-dialog.tsx";

/** The operator's own models come first, then those that can be called now. */
const rankOf = ({ added, callable }: ModelRow): number => (added ? 0 : callable ? 1 : 2);

export const Models = () => {
  const configured = (providers.value ?? []).filter((provider) => provider.configured).map(({ id }) => id);
  // Which models can be called depends on the configured providers.
  const { data, failure, reload, set } = useLoad(`models of ${configured}`, () => get<{ models: ModelRow[] }>("/models"));
  /** "new" while a model is being added. */
  const [editing, setEditing] = useState<ModelRow | "new" | null>(null);
  const [removing, setRemoving] = useState<ModelRow | null>(null);
  const turn = (model: ModelRow, enabled: boolean) =>
    attempt(
      async () => set(await call<{ models: ModelRow[] }>("PUT", "/models", { id: model.id, enabled })),
      enabled ? `${model.id} may answer again.` : `${model.id} is off: nothing is sent to it, and callers cannot name it.`,
    );
  const find = queryOf("find") ?? "";
  const onlyCallable = queryOf("callable") === "true";
  const provider = queryOf("provider") ?? "";
  const rows = useMemo(
    () =>
      (data?.models ?? [])
        .filter((model) => `${model.id} ${model.name} ${model.provider}`.toLowerCase().includes(find.toLowerCase()))
        .filter((model) => (!onlyCallable || model.callable) && (provider === "" || model.provider === provider))
        .sort((a, b) => rankOf(a) - rankOf(b)),
    [data, find, onlyCallable, provider],
  );
  const names = [...new Set((data?.models ?? []).map((model) => model.provider))];
  return (
    <Card
      flush
      title="Models"
      note={data ? `${plural(rows.length, "model")}. Prices are USD per million tokens.` : undefined}
      actions={
        <button type="button" class="button" onClick={() => setEditing("new")}>
          <Icon name="plus" /> Add a model
        </button>
      }
    >
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
          <table class="models compared">
            <thead>
              <tr>
                <th>Use</th>
                <th>Model</th>
                <th class="aside">Provider</th>
                <th class="number">Input</th>
                <th class="number">Cached</th>
                <th class="number">Output</th>
                <th class="number">Context</th>
                <th class="aside">Can</th>
                <th>Ends</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((model) => (
                <ModelLine
                  key={`${model.provider}/${model.id}`}
                  model={model}
                  onTurn={(on) => turn(model, on)}
                  onEdit={() => setEditing(model)}
                  onRemove={() => setRemoving(model)}
                />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {editing && <ModelDialog model={editing === "new" ? null : editing} onSaved={set} onClose={() => setEditing(null)} />}
      {removing && (
        <Confirm
          title={`Remove ${removing.id}?`}
          action="Remove"
          onClose={() => setRemoving(null)}
          onConfirm={() =>
            attempt(
              async () => set(await call<{ models: ModelRow[] }>("DELETE", "/models", { id: removing.id })),
              `${removing.id} is removed.`,
            )
          }
        >
          Callers can no longer name it, and nothing is routed to it. Its calls stay in the log.
        </Confirm>
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
const price = (usd: number | undefined): string => (usd === undefined ? DASH : usd === 0 ? "free" : exactUsd(usd));

type LineProps = { model: ModelRow; onTurn: (on: boolean) => void; onEdit: () => void; onRemove: () => void };

const ModelLine = ({ model, onTurn, onEdit, onRemove }: LineProps) => (
  <tr>
    <td title={model.fixed ? "Set in signalbox.yaml" : undefined}>
      <Switch hideLabel label={`Use ${model.id}`} checked={model.enabled} disabled={model.fixed} onChange={onTurn} />
    </td>
    <td>
      <Lamp tone={model.callable ? healthTone(model.state) : "off"}>
        <a class="row-link" href={hrefTo("calls", null, { model: model.id })} title={`Calls of ${model.name}`}>
          {model.id}
        </a>
      </Lamp>
      {model.added && (
        <>
          {" "}
          <a class="button small" href={hrefTo("playground", null, { model: model.id })} aria-label={`Try ${model.id}`}>
            Try
          </a>{" "}
          <button type="button" class="button small" onClick={onEdit} aria-label={`Edit ${model.id}`}>
            Edit
          </button>{" "}
          <button type="button" class="button small danger" onClick={onRemove} aria-label={`Remove ${model.id}`}>
            Remove
          </button>
        </>
      )}
    </td>
    <td class="aside">{model.provider}</td>
    <td class="number">{price(model.prices?.input_usd)}</td>
    <td class="number">{price(model.prices?.cached_usd)}</td>
    <td class="number">{price(model.prices?.output_usd)}</td>
    <td class="number">{short(model.context_window)}</td>
    <td class="tags aside">
      {model.abilities
        .map((ability) => SHOWN_ABILITIES[ability])
        .filter(Boolean)
        .join(", ")}
    </td>
    <td class="nowrap">
      {model.shutdown_date ? (
        <Badge tone={Date.parse(model.shutdown_date) < serverNow() ? "red" : "amber"}>{date(model.shutdown_date)}</Badge>
      ) : (
        DASH
      )}
    </td>
  </tr>
);
