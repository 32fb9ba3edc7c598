/** Why a model was chosen: the candidates with their scores and obstacles. */

import { milliseconds, percent, usd } from "../format.ts";
import type { DecisionFactors } from "../wire.ts";
import { Badge } from "./lamp.tsx";
import { type Column, Table } from "./table.tsx";

/** `as`: the label of the chosen one (it answered, or would). */
type DecisionProps = { factors: DecisionFactors; chosen: string | null; as: "answered" | "would answer" | "chosen" };

type Candidate = NonNullable<DecisionFactors["candidates"]>[number];

export const Decision = ({ factors, chosen, as }: DecisionProps) => {
  const candidates = factors.candidates ?? [];
  const scores = candidates.map(({ score }) => score);
  const least = Math.min(...scores, 0);
  const span = Math.max(...scores, 0) - least || 1;
  const columns: Column<Candidate>[] = [
    {
      head: "Candidate",
      class: "name",
      cell: ({ model, provider, health }) => (
        <>
          {model} {model === chosen && <Badge tone={as === "chosen" ? "slate" : "green"}>{as}</Badge>}{" "}
          {health !== "healthy" && <Badge tone="amber">{health}</Badge>}
          <div class="muted small">{provider}</div>
        </>
      ),
    },
    {
      head: "Score",
      class: "score",
      cell: ({ score }) => (
        <>
          <span class="track">
            <span class="fill" style={{ width: `${((score - least) / span) * 100}%` }} />
          </span>
          <span class="small">{score.toFixed(2)}</span>
        </>
      ),
    },
    { head: "Quality", class: "number", cell: ({ expected_quality }) => percent(expected_quality, 0) },
    { head: "Cost", class: "number", cell: ({ estimated_cost_usd }) => usd(estimated_cost_usd) },
    { head: "Latency", class: "number", cell: ({ estimated_latency_ms }) => milliseconds(estimated_latency_ms) },
  ];
  return (
    <div class="stack">
      <Table
        class="candidates compared"
        label="Candidates"
        columns={columns}
        rows={candidates}
        keyOf={({ model }) => model}
        classOf={({ model }) => (model === chosen ? "chosen" : "")}
      />
      <p class="muted small">
        Score is expected quality less what cost and latency weigh at a quality–cost setting of {factors.quality_cost ?? "0.5"}.
      </p>
    </div>
  );
};
