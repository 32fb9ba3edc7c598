/** How models are chosen for this project: the balance of quality and cost, and what the router has learned. */

import { useState } from "preact/hooks";
import { percentage } from "../../format.ts";
import { NumberField, TextField } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import { Card } from "../../parts/page.tsx";
import { hrefTo } from "../../router.ts";
import { project } from "../../state.ts";
import { useModels } from "../../use-models.ts";
import { Learned } from "./learned.tsx";
import { saveSettings } from "./save-settings.ts";

export const RoutingSettings = () => (
  <>
    <div class="columns">
      <Knob />
      <Shadow />
    </div>
    <Cache />
    <Learned />
  </>
);

const WORDS = ["the best answer, whatever it costs", "quality first", "a balance", "cost first", "the cheapest that can do it"];

const Knob = () => {
  const { settings } = project.value!;
  const [value, setValue] = useState(settings.quality_cost);
  const word = WORDS[Math.min(4, Math.floor(value * 5))];
  return (
    <Card
      title="Quality or cost"
      note="Weighs expected quality against price in every choice. A policy or a single call may say otherwise."
    >
      <div class="stack tight">
        <label class="stack tight">
          <span class="row between small muted">
            <span>Best</span>
            <span>Cheapest</span>
          </span>
          <input
            type="range"
            min="0"
            max="1"
            step="0.05"
            value={value}
            aria-label="Quality or cost"
            aria-valuetext={word ?? ""}
            onInput={(event) => setValue(Number(event.currentTarget.value))}
          />
        </label>
        <p>
          <strong>{value.toFixed(2)}</strong>: {word}.
        </p>
        <div class="row">
          <button
            type="button"
            class="button primary"
            disabled={value === settings.quality_cost}
            onClick={() => saveSettings({ quality_cost: value }, "The router weighs it this way from now on.")}
          >
            Save
          </button>
          <a class="button" href={hrefTo("playground")}>
            Try a prompt
          </a>
        </div>
      </div>
    </Card>
  );
};

const Shadow = () => {
  const { settings } = project.value!;
  const [model, setModel] = useState(settings.shadow?.model ?? "");
  const [rate, setRate] = useState<number | null>(settings.shadow === null ? 5 : percentage(settings.shadow.sample_rate));
  const models = useModels();
  return (
    <Card
      title="Shadow model"
      note="Asks a second model the same question after the answer was sent, to compare. It never delays a call. It costs money like one, but is in no total: each call shows the cost of its shadow."
    >
      <Form
        class="stack tight"
        onSubmit={() =>
          saveSettings(
            { shadow: { model: model.trim(), sample_rate: Math.min(100, rate ?? 5) / 100 } },
            "The shadow runs from now on.",
          )
        }
      >
        <div class="form-grid">
          <TextField label="Model" value={model} onChange={setModel} placeholder="none" list={models.map(({ id }) => id)} />
          <NumberField label="Share of calls (%)" value={rate} onChange={setRate} min={0} max={100} />
        </div>
        <div class="row">
          <button type="submit" class="button" disabled={model.trim() === ""}>
            Save
          </button>
          {settings.shadow && (
            <button type="button" class="button quiet" onClick={() => saveSettings({ shadow: null }, "No shadow any more.")}>
              Switch it off
            </button>
          )}
        </div>
      </Form>
    </Card>
  );
};

const MOST_HOURS = 720;

const Cache = () => {
  const { settings } = project.value!;
  const kept = settings.cache;
  const [hours, setHours] = useState<number | null>(kept === null ? 1 : kept.ttl_s / 3600);
  const ttl_s = Math.round(3600 * (hours ?? 0));
  return (
    <Card
      title="Response cache"
      note="The same question gets the answer that was already paid for: the same messages, model, parameters, tools, schema and policies. Needs the texts in the log. A call may say otherwise with a Cache-Control header."
    >
      <Form class="row end" onSubmit={() => saveSettings({ cache: { ttl_s } }, "Answers are given again from now on.")}>
        <NumberField label="For how long (hours)" value={hours} onChange={setHours} min={0} max={MOST_HOURS} />
        <button type="submit" class="button" disabled={ttl_s === 0}>
          {kept === null ? "Switch it on" : "Save"}
        </button>
        {kept && (
          <button
            type="button"
            class="button quiet"
            onClick={() => saveSettings({ cache: null }, "Each question is asked anew.")}
          >
            Switch it off
          </button>
        )}
      </Form>
    </Card>
  );
};
