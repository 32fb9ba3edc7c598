/** The catalog's models: their providers, prices, abilities and shutdown dates. */

import { useMemo, useState } from "preact/hooks";
import type { ModelRow } from "../../../wire.ts";
import { call, get } from "../../api.ts";
import { DASH, date, exactUsd, plural, short } from "../../format.ts";
import { Check, SelectField, Switch, same, TextField } from "../../parts/controls.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Badge, healthTone, Lamp } from "../../parts/lamp.tsx";
import { attempt, Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { hrefTo, queryOf, setQuery } from "../../router.ts";
import { serverNow } from "../../server-clock.ts";
import { providers } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import { ModelDialog } from "./model-dialog.tsx";

/** The operator's own models come first, then those that can be called now. */
const rankOf = ({ added, callable }: ModelRow): number => (added ? 0 : callable ? 1 : 2);

export const Models = () => {
  const configured = providers.value.filter((provider) => provider.configured).map(({ id }) => id);
  // Which models can be called depends on the configured providers.
  const models = useLoad(`models of ${configured}`, () => get<{ models: ModelRow[] }>("/models"));
  const { data, set } = models;
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
          options={[{ value: "", label: "All" }, ...same(names)]}
        />
        <Check
          label="Only what can be called now"
          checked={onlyCallable}
          onChange={(on) => setQuery({ callable: on ? "true" : null })}
        />
      </div>
      <Pending of={models} height={320} />
      {data && rows.length === 0 && (
        <Empty title="No model fits">
          <p>Take a filter away to see more.</p>
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          class="models compared"
          label="Models"
          columns={columnsFor({ onTurn: turn, onEdit: setEditing, onRemove: setRemoving })}
          rows={rows}
          keyOf={({ provider, id }) => `${provider}/${id}`}
        />
      )}
      {editing && <ModelDialog model={editing === "new" ? null : editing} onSaved={set} onClose={() => setEditing(null)} />}
      {removing && (
        <Confirm
          title={`Remove ${removing.id}?`}
          action="Remove"
          onClose={() => setRemoving(null)}
          done={`${removing.id} is removed.`}
          onConfirm={async () => set(await call<{ models: ModelRow[] }>("DELETE", "/models", { id: removing.id }))}
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
  image_output: "draws",
};
const price = (usd: number | undefined): string => (usd === undefined ? DASH : usd === 0 ? "free" : exactUsd(usd));

type ModelActions = {
  onTurn: (model: ModelRow, on: boolean) => Promise<unknown>;
  onEdit: (model: ModelRow) => void;
  onRemove: (model: ModelRow) => void;
};

const columnsFor = ({ onTurn, ...actions }: ModelActions): Column<ModelRow>[] => [
  {
    head: "Use",
    cell: (model) => (
      <Switch
        hideLabel
        label={`Use ${model.id}`}
        checked={model.enabled}
        disabled={model.fixed}
        onChange={(on) => onTurn(model, on)}
      />
    ),
    title: ({ fixed }) => (fixed ? "Set in signalbox.yaml" : undefined),
  },
  { head: "Model", class: "name", cell: (model) => <Name model={model} {...actions} /> },
  { head: "Provider", class: "aside", cell: ({ provider }) => provider },
  { head: "Input", class: "number", cell: ({ prices }) => price(prices?.input_usd) },
  { head: "Cached", class: "number", cell: ({ prices }) => price(prices?.cached_usd) },
  { head: "Output", class: "number", cell: ({ prices }) => price(prices?.output_usd) },
  { head: "Context", class: "number", cell: ({ context_window }) => short(context_window) },
  {
    head: "Can",
    class: "tags aside",
    cell: ({ abilities }) => abilities.flatMap((one) => SHOWN_ABILITIES[one] ?? []).join(", "),
  },
  {
    head: "Ends",
    class: "nowrap",
    cell: ({ shutdown_date: end }) =>
      end ? <Badge tone={Date.parse(end) < serverNow() ? "red" : "amber"}>{date(end)}</Badge> : DASH,
  },
];

const Name = ({ model, onEdit, onRemove }: Omit<ModelActions, "onTurn"> & { model: ModelRow }) => (
  <>
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
        <button type="button" class="button small" onClick={() => onEdit(model)} aria-label={`Edit ${model.id}`}>
          Edit
        </button>{" "}
        <button type="button" class="button small danger" onClick={() => onRemove(model)} aria-label={`Remove ${model.id}`}>
          Remove
        </button>
      </>
    )}
  </>
);
