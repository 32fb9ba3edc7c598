/** What the router has learned from this project's calls: to view, freeze or forget, and the rate of exploration. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { milliseconds, number, percent, percentage, short } from "../../format.ts";
import { Check, NumberField } from "../../parts/controls.tsx";
import { AskFirst } from "../../parts/dialog.tsx";
import { Form } from "../../parts/form.tsx";
import { Card } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { hrefTo } from "../../router.ts";
import { apiPath, mode, project } from "../../state.ts";
import { useGet } from "../../use-load.ts";
import type { LearnedAnswer } from "../../wire.ts";
import { saveSettings } from "./save-settings.ts";

export const Learned = () => {
  const { settings } = project.value!;
  const learned = useGet<LearnedAnswer>(apiPath("/v1/learning"));
  const [share, setShare] = useState<number | null>(percentage(settings.exploration));
  const { data, reload } = learned;
  const isEmpty = data === null || data.strengths.length + data.paces.length === 0;
  return (
    <Card
      flush
      title="What was learned"
      note={`From the ${mode.value} calls: checks, feedback and shadow answers move a model's strength away from the catalog's figure. Live and test calls are learned from separately.`}
      actions={
        <AskFirst
          label="Forget it"
          disabled={isEmpty}
          title="Forget what was learned?"
          action="Forget it"
          done="The catalog's figures decide again."
          onConfirm={() => call("DELETE", apiPath("/v1/learning")).then(reload)}
        >
          The strength and pace of every model go back to the catalog's figures for the {mode.value} calls of this project.
          Feedback stays in the log.
        </AskFirst>
      }
    >
      <div class="filters">
        <Check
          label="Freeze"
          hint="Keep what is known, learn nothing new."
          checked={settings.learning_frozen}
          onChange={(on) => saveSettings({ learning_frozen: on }, on ? "Learning is frozen." : "The router learns again.")}
        />
        <Form
          class="row end"
          onSubmit={() => saveSettings({ exploration: Math.min(100, Math.max(0, share ?? 2)) / 100 }, "Saved.")}
        >
          <NumberField label="Live calls that try another model (%)" value={share} onChange={setShare} min={0} max={100} />
          <button type="submit" class="button" disabled={share === null || Math.abs(share / 100 - settings.exploration) < 1e-9}>
            Save
          </button>
        </Form>
      </div>
      <Pending of={learned} height={120} />
      {data && isEmpty && (
        <p class="muted card-text">
          Nothing yet: the catalog's figures decide. Each checked call teaches a little; “Good” or “Bad” on a call, or feedback
          through the API, teaches more.
        </p>
      )}
      {data && data.strengths.length > 0 && <Strengths rows={data.strengths} />}
      {data && data.paces.length > 0 && (
        <>
          <h3 class="card-text">Measured speed</h3>
          <Table
            class="compared"
            label="Measured speed"
            columns={PACES}
            rows={data.paces.slice(0, SHOWN)}
            keyOf={({ model }) => model}
          />
        </>
      )}
    </Card>
  );
};

const SHOWN = 40;

type Strength = LearnedAnswer["strengths"][number];
type Pace = LearnedAnswer["paces"][number];

const STRENGTHS: Column<Strength>[] = [
  {
    head: "Model",
    class: "name",
    cell: ({ model, task_type }) => (
      <a class="row-link" href={hrefTo("calls", null, { model, task_type })}>
        {model}
      </a>
    ),
  },
  { head: "Task", cell: ({ task_type }) => task_type },
  { head: "Difficulty", cell: ({ difficulty }) => difficulty },
  { head: "Outcomes", class: "number aside", cell: ({ outcomes }) => number(Math.round(outcomes * 10) / 10) },
  { head: "Good", class: "number aside", cell: ({ good }) => percent(good, 0) },
  { head: "Expected", class: "number aside", cell: ({ predicted }) => percent(predicted, 0) },
  { head: "Catalog", note: "Strength by the catalog", class: "number", cell: (row) => percent(row.catalog_strength) },
  { head: "Learned", class: "number", cell: ({ strength }) => <strong>{percent(strength)}</strong> },
];

const Strengths = ({ rows }: { rows: Strength[] }) => (
  <>
    <Table
      class="compared"
      label="Learned strengths"
      columns={STRENGTHS}
      rows={rows.slice(0, SHOWN)}
      keyOf={({ model, task_type, difficulty }) => `${model} ${task_type} ${difficulty}`}
    />
    {rows.length > SHOWN && (
      <p class="card-text muted small">
        The {SHOWN} with the most outcomes, of {number(rows.length)}. All of them: <code>GET /v1/learning</code>.
      </p>
    )}
  </>
);

const PACES: Column<Pace>[] = [
  { head: "Model", class: "name", cell: ({ model }) => model },
  { head: "Calls timed", class: "number", cell: ({ calls }) => number(calls) },
  { head: "First token", class: "number", cell: ({ first_token_ms }) => milliseconds(first_token_ms) },
  { head: "Tokens a second", class: "number", cell: ({ tokens_per_second }) => short(tokens_per_second) },
  {
    head: "Against the catalog",
    class: "number",
    cell: ({ factor }) => (factor < 1 ? `${(1 / factor).toFixed(1)} × faster` : `${factor.toFixed(1)} × slower`),
  },
];
