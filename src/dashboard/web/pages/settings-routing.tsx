/** How models are chosen for this project: the one knob between quality and cost, and what the router learned. */

import { useState } from "preact/hooks";
import type { LearnedStrengths } from "../../wire.ts";
import { call, get } from "../api.ts";
import { number, percent } from "../format.ts";
import { Check, NumberField, TextField } from "../parts/controls.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { attempt, Problem, Skeleton } from "../parts/notice.tsx";
import { Card, Scroll } from "../parts/page.tsx";
import { hrefTo } from "../router.ts";
import { project } from "../state.ts";
import { useLoad } from "../use-load.ts";
import { changeProject } from "./settings-projects.tsx";

export const RoutingSettings = () => (
  <>
    <div class="columns">
      <Knob />
      <Shadow />
    </div>
    <Learned />
  </>
);

const WORDS = ["the best answer, whatever it costs", "quality first", "a balance", "cost first", "the cheapest that can do it"];

const Knob = () => {
  const { id, settings } = project.value!;
  const [value, setValue] = useState(settings.quality_cost);
  const word = WORDS[Math.min(4, Math.floor(value * 5))];
  return (
    <Card
      title="Quality or cost"
      note="Weighs expected quality against price in every choice. A policy or a single call may say otherwise."
    >
      <div class="stack tight">
        <label class="knob">
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
            onClick={() =>
              attempt(
                () => changeProject(id, { settings: { quality_cost: value } }),
                "The router weighs it this way from now on.",
              )
            }
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
  const { id, settings } = project.value!;
  const [model, setModel] = useState(settings.shadow?.model ?? "");
  const [rate, setRate] = useState<number | null>(settings.shadow === null ? 5 : settings.shadow.sample_rate * 100);
  const save = (shadow: object | null, done: string) => attempt(() => changeProject(id, { settings: { shadow } }), done);
  return (
    <Card
      title="Shadow model"
      note="Asks a second model the same after the answer is out, to compare. It never delays a call; it is paid like one."
    >
      <form
        class="stack tight"
        onSubmit={(event) => {
          event.preventDefault();
          void save({ model: model.trim(), sample_rate: Math.min(100, rate ?? 5) / 100 }, "The shadow runs from now on.");
        }}
      >
        <div class="form-grid">
          <TextField label="Model" value={model} onChange={setModel} placeholder="none" />
          <NumberField label="Share of calls (%)" value={rate} onChange={setRate} min={0} max={100} />
        </div>
        <div class="row">
          <button type="submit" class="button" disabled={model.trim() === ""}>
            Save
          </button>
          {settings.shadow && (
            <button type="button" class="button quiet" onClick={() => save(null, "No shadow any more.")}>
              Switch it off
            </button>
          )}
        </div>
      </form>
    </Card>
  );
};

const Learned = () => {
  const { id, settings } = project.value!;
  const { data, failure, reload } = useLoad(`learned ${id}`, () =>
    get<{ strengths: LearnedStrengths[] }>(`/projects/${id}/learned`),
  );
  const [resetting, setResetting] = useState(false);
  const [share, setShare] = useState<number | null>(settings.exploration * 100);
  if (failure?.status === 404) return null;
  return (
    <Card
      flush
      title="What was learned"
      note="Feedback, checks and comparisons move a model's expected quality for a task away from the catalog's figure."
      actions={
        <button
          type="button"
          class="button danger"
          disabled={!data || data.strengths.length === 0}
          onClick={() => setResetting(true)}
        >
          Forget it
        </button>
      }
    >
      <div class="filters">
        <Check
          label="Freeze"
          hint="Keep what is known, learn nothing new."
          checked={settings.learning_frozen}
          onChange={(on) =>
            void attempt(
              () => changeProject(id, { settings: { learning_frozen: on } }),
              on ? "Learning is frozen." : "The router learns again.",
            )
          }
        />
        <form
          class="row end"
          onSubmit={(event) => {
            event.preventDefault();
            void attempt(
              () => changeProject(id, { settings: { exploration: Math.min(100, Math.max(0, share ?? 2)) / 100 } }),
              "Saved.",
            );
          }}
        >
          <NumberField label="Calls that try another model (%)" value={share} onChange={setShare} min={0} max={100} />
          <button type="submit" class="button" disabled={share === null || Math.abs(share / 100 - settings.exploration) < 1e-9}>
            Save
          </button>
        </form>
      </div>
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={120} />}
      {data && data.strengths.length === 0 && (
        <div class="empty">
          <p>
            Nothing yet: the catalog's figures decide. Say “Good” or “Bad” on some calls, or send feedback through the API, and it
            shows here.
          </p>
        </div>
      )}
      {data && data.strengths.length > 0 && (
        <Scroll label="Learned strengths">
          <table>
            <thead>
              <tr>
                <th>Model</th>
                <th>Task</th>
                <th class="number">Catalog</th>
                <th class="number">Learned</th>
                <th class="number">From</th>
              </tr>
            </thead>
            <tbody>
              {data.strengths.map((row) => (
                <tr key={`${row.model} ${row.task}`}>
                  <td>
                    <a class="row-link" href={hrefTo("calls", null, { model: row.model, task_type: row.task })}>
                      {row.model}
                    </a>
                  </td>
                  <td>{row.task}</td>
                  <td class="number">{percent(row.catalog)}</td>
                  <td class="number">{percent(row.learned)}</td>
                  <td class="number">{number(row.observations)} calls</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {resetting && (
        <Confirm
          title="Forget what was learned?"
          action="Forget it"
          onClose={() => setResetting(false)}
          onConfirm={() =>
            attempt(() => call("DELETE", `/projects/${id}/learned`).then(reload), "The catalog's figures decide again.")
          }
        >
          The expected quality of every model goes back to the catalog's figures for this project. Feedback stays in the log.
        </Confirm>
      )}
    </Card>
  );
};
