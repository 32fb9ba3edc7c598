/** The catalog's models: their providers, prices, abilities and shutdown dates. */

import { useMemo } from "preact/hooks";
import type { ModelRow, ModelsAnswer } from "../../../wire.ts";
import { call, get } from "../../api.ts";
import { DASH, date, exactUsd, plural, short } from "../../format.ts";
import { Check, SelectField, Switch, same, TextField } from "../../parts/controls.tsx";
import { AskFirst, Opens } from "../../parts/dialog.tsx";
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
  const models = useLoad(`models of ${configured}`, () => get<ModelsAnswer>("/models"));
  const { data, set } = models;
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
        <Opens icon="plus" label="Add a model">
          {(close) => <ModelDialog model={null} onSaved={set} onClose={close} />}
        </Opens>
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
          columns={columnsFor(set)}
          rows={rows}
          keyOf={({ provider, id }) => `${provider}/${id}`}
        />
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

/** Each change is answered with all models, which are shown then. */
type Show = (all: ModelsAnswer) => void;

const turn = ({ id }: ModelRow, enabled: boolean, show: Show) =>
  attempt(
    async () => show(await call<ModelsAnswer>("PUT", "/models", { id, enabled })),
    enabled ? `${id} may answer again.` : `${id} is off: nothing is sent to it, and callers cannot name it.`,
  );

const columnsFor = (show: Show): Column<ModelRow>[] => [
  {
    head: "Use",
    cell: (model) => (
      <Switch
        hideLabel
        label={`Use ${model.id}`}
        checked={model.enabled}
        disabled={model.fixed}
        onChange={(on) => turn(model, on, show)}
      />
    ),
    title: ({ fixed }) => (fixed ? "Set in signalbox.yaml" : undefined),
  },
  { head: "Model", class: "name", cell: (model) => <Name model={model} show={show} /> },
  { head: "Provider", class: "aside", cell: ({ provider }) => provider },
  { head: "Input", class: "number", cell: ({ prices }) => price(prices?.input_usd) },
  { head: "Cached", class: "number detail", cell: ({ prices }) => price(prices?.cached_usd) },
  { head: "Output", class: "number", cell: ({ prices }) => price(prices?.output_usd) },
  { head: "Context", class: "number detail", cell: ({ context_window }) => short(context_window) },
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

const Name = ({ model, show }: { model: ModelRow; show: Show }) => (
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
        <Opens class="button small" label="Edit" name={`Edit ${model.id}`}>
          {(close) => <ModelDialog model={model} onSaved={show} onClose={close} />}
        </Opens>{" "}
        <AskFirst
          class="button small danger"
          label="Remove"
          name={`Remove ${model.id}`}
          title={`Remove ${model.id}?`}
          action="Remove"
          done={`${model.id} is removed.`}
          onConfirm={async () => show(await call<ModelsAnswer>("DELETE", "/models", { id: model.id }))}
        >
          Callers can no longer name it, and nothing is routed to it. Its calls stay in the log.
        </AskFirst>
      </>
    )}
  </>
);
