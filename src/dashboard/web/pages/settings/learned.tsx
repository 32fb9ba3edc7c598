/** What the router has learned from this project's calls: to view, freeze or forget, and the rate of exploration. */

import { useState } from "preact/hooks";
import { call, get } from "../../api.ts";
import { milliseconds, number, percent, percentage, short } from "../../format.ts";
import { Check, NumberField } from "../../parts/controls.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { attempt, Problem, Skeleton } from "../../parts/notice.tsx";
import { Card, Scroll } from "../../parts/page.tsx";
import { changeProject } from "../../refresh-projects.ts";
import { hrefTo } from "../../router.ts";
import { apiPath, mode, project } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import type { LearnedAnswer } from "../../wire.ts";

export const Learned = () => {
  const { id, settings } = project.value!;
  const { data, failure, reload } = useLoad(`learned ${id} ${mode.value}`, (signal) =>
    get<LearnedAnswer>(apiPath("/v1/learning"), signal),
  );
  const [resetting, setResetting] = useState(false);
  const [share, setShare] = useState<number | null>(percentage(settings.exploration));
  const nothing = data !== null && data.strengths.length === 0 && data.paces.length === 0;
  return (
    <Card
      flush
      title="What was learned"
      note={`From the ${mode.value} calls: checks, feedback and shadow answers move a model's strength away from the catalog's figure. Live and test calls are learned from separately.`}
      actions={
        <button type="button" class="button danger" disabled={data === null || nothing} onClick={() => setResetting(true)}>
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
            attempt(
              () => changeProject(id, { settings: { learning_frozen: on } }),
              on ? "Learning is frozen." : "The router learns again.",
            )
          }
        />
        <form
          class="row end"
          onSubmit={(event) => {
            event.preventDefault();
            const exploration = Math.min(100, Math.max(0, share ?? 2)) / 100;
            void attempt(() => changeProject(id, { settings: { exploration } }), "Saved.");
          }}
        >
          <NumberField label="Live calls that try another model (%)" value={share} onChange={setShare} min={0} max={100} />
          <button type="submit" class="button" disabled={share === null || Math.abs(share / 100 - settings.exploration) < 1e-9}>
            Save
          </button>
        </form>
      </div>
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={120} />}
      {nothing && (
        <p class="muted card-text">
          Nothing yet: the catalog's figures decide. Each checked call teaches a little; “Good” or “Bad” on a call, or feedback
          through the API, teaches more.
        </p>
      )}
      {data && data.strengths.length > 0 && <Strengths rows={data.strengths} />}
      {data && data.paces.length > 0 && (
        <>
          <h3 class="card-text">Measured speed</h3>
          <Paces rows={data.paces} />
        </>
      )}
      {resetting && (
        <Confirm
          title="Forget what was learned?"
          action="Forget it"
          onClose={() => setResetting(false)}
          onConfirm={() =>
            attempt(() => call("DELETE", apiPath("/v1/learning")).then(reload), "The catalog's figures decide again.")
          }
        >
          The strength and pace of every model go back to the catalog's figures for the {mode.value} calls of this project.
          Feedback stays in the log.
        </Confirm>
      )}
    </Card>
  );
};

const SHOWN = 40;

const Strengths = ({ rows }: { rows: LearnedAnswer["strengths"] }) => (
  <Scroll label="Learned strengths">
    <table class="compared">
      <thead>
        <tr>
          <th>Model</th>
          <th>Task</th>
          <th>Difficulty</th>
          <th class="number aside">Outcomes</th>
          <th class="number aside">Good</th>
          <th class="number aside">Expected</th>
          <th class="number" title="Strength by the catalog">
            Catalog
          </th>
          <th class="number">Learned</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, SHOWN).map((row) => (
          <tr key={`${row.model} ${row.task_type} ${row.difficulty}`}>
            <td>
              <a class="row-link" href={hrefTo("calls", null, { model: row.model, task_type: row.task_type })}>
                {row.model}
              </a>
            </td>
            <td>{row.task_type}</td>
            <td>{row.difficulty}</td>
            <td class="number aside">{number(Math.round(row.outcomes * 10) / 10)}</td>
            <td class="number aside">{percent(row.good, 0)}</td>
            <td class="number aside">{percent(row.predicted, 0)}</td>
            <td class="number">{percent(row.catalog_strength)}</td>
            <td class="number">
              <strong>{percent(row.strength)}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {rows.length > SHOWN && (
      <p class="card-text muted small">
        The {SHOWN} with the most outcomes, of {number(rows.length)}. All of them: <code>GET /v1/learning</code>.
      </p>
    )}
  </Scroll>
);

const Paces = ({ rows }: { rows: LearnedAnswer["paces"] }) => (
  <Scroll label="Measured speed">
    <table>
      <thead>
        <tr>
          <th>Model</th>
          <th class="number">Calls timed</th>
          <th class="number">First token</th>
          <th class="number">Tokens a second</th>
          <th class="number">Against the catalog</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, SHOWN).map((row) => (
          <tr key={row.model}>
            <td class="nowrap">{row.model}</td>
            <td class="number">{number(row.calls)}</td>
            <td class="number">{milliseconds(row.first_token_ms)}</td>
            <td class="number">{short(row.tokens_per_second)}</td>
            <td class="number">
              {row.factor < 1 ? `${(1 / row.factor).toFixed(1)} × faster` : `${row.factor.toFixed(1)} × slower`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
