/** Why a model was chosen: the candidates with their scores and obstacles, and the policies' verdicts. */

import { milliseconds, percent, plural, usd } from "../format.ts";
import type { ContentEvaluation, DecisionFactors, PolicyEvaluation } from "../wire.ts";
import { Badge, Lamp, type Tone } from "./lamp.tsx";
import { Card } from "./page.tsx";
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

const TONES: Record<string, Tone> = {
  allow: "green",
  warn: "amber",
  soft_block: "amber",
  redact: "amber",
  hard_block: "red",
  block: "red",
};
const SHORT: Record<string, string> = {
  warn: "warned",
  soft_block: "another model",
  redact: "redacted",
  hard_block: "refused",
  block: "blocked",
};
const WORDS: Record<string, string> = {
  allow: "let through",
  warn: "let through with a warning",
  soft_block: "changed",
  redact: "redacted",
  hard_block: "refused",
  block: "blocked",
};

/** The effects of policies on a call; nothing if there were none. */
export const PolicyBadges = ({ policy, content }: { policy: PolicyEvaluation | null; content: ContentEvaluation | null }) => (
  <>
    {[policy?.result, content?.result]
      .filter((result) => result !== undefined && result !== "allow")
      .map((result, at) => (
        <Badge key={at} tone={result === "warn" ? "slate" : "amber"}>
          policy: {SHORT[result!]}
        </Badge>
      ))}
  </>
);

/** The log counts personal data and failed criteria; if there are none, a blocked term was found. */
const isTermAlone = ({ result, pii_count, criteria_failed }: ContentEvaluation): boolean =>
  result !== "allow" && pii_count === 0 && criteria_failed === 0;

export const PolicyVerdict = ({ policy, content }: { policy: PolicyEvaluation | null; content: ContentEvaluation | null }) => (
  <Card title="Policies">
    {policy === null && content === null && <p class="muted">No policy was active.</p>}
    <div class="stack tight">
      {policy && (
        <>
          <Lamp tone={TONES[policy.result] ?? "off"}>Routing: {WORDS[policy.result] ?? policy.result}</Lamp>
          {policy.modifications.map((change) => (
            <p class="small" key={change.from + change.to}>
              {change.from} → <strong>{change.to}</strong>. {change.reason}
            </p>
          ))}
          {policy.violations.map((violation) => (
            <p class="small" key={violation.policy_name + violation.rule}>
              <strong>{violation.policy_name}</strong>: {violation.message}
            </p>
          ))}
        </>
      )}
      {content && (
        <>
          <Lamp tone={TONES[content.result] ?? "off"}>Content: {WORDS[content.result] ?? content.result}</Lamp>
          <p class="small muted">
            {isTermAlone(content) ? "A blocked term was found" : `${plural(content.pii_count, "finding")} of personal data`}
            {content.criteria_passed + content.criteria_failed > 0 &&
              `, ${content.criteria_passed} of ${content.criteria_passed + content.criteria_failed} criteria met`}
          </p>
        </>
      )}
    </div>
  </Card>
);
