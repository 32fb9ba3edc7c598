/** The quality of an answer: by its checks and by people's feedback. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { DASH, percent } from "../../format.ts";
import { TextField } from "../../parts/controls.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { attempt } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath } from "../../state.ts";
import type { LogDetail } from "../../wire.ts";

const CHECK_NAMES: Record<string, string> = {
  format_valid: "Has the form that was asked for",
  no_refusal: "Is not a refusal",
  no_disclaimer: "Is more than a disclaimer",
  completeness: "Is complete",
} satisfies Record<keyof LogDetail["quality"]["validation_checks"], string>;

export const Checks = ({ entry }: { entry: LogDetail }) => (
  <Card title="Validation">
    {Object.values(entry.quality.validation_checks).every((passed) => passed === null) ? (
      <p class="muted">Nothing was checked: {entry.execution.success ? "only answers in text are" : "there was no answer"}.</p>
    ) : (
      <CheckList entry={entry} />
    )}
  </Card>
);

const CheckList = ({ entry }: { entry: LogDetail }) => (
  <ul class="stack tight checklist">
    {Object.entries(entry.quality.validation_checks).map(([name, passed]) => (
      <li key={name}>
        <Lamp tone={passed === null ? "off" : passed ? "green" : "red"}>{CHECK_NAMES[name] ?? name}</Lamp>
        <span class="muted small">{passed === null ? "not checked" : passed ? "yes" : "no"}</span>
      </li>
    ))}
    <li>
      <span>Quality score</span>
      <strong>{entry.quality.output_quality_score?.toFixed(2) ?? DASH}</strong>
    </li>
  </ul>
);

const SCORES = [
  [1, "Good"],
  [0.5, "So-so"],
  [0, "Bad"],
] as const;

export const Feedback = ({ entry, reload }: { entry: LogDetail; reload: () => void }) => {
  const { feedback } = entry.quality;
  const [comment, setComment] = useState(feedback?.comment ?? "");
  const give = (score: number) =>
    attempt(async () => {
      await call("POST", apiPath(`/v1/logs/${entry.call_id}/feedback`), { score, ...(comment && { comment }) });
      reload();
    }, "Thank you. The router learns from it.");
  return (
    <Card
      title="Was it a good answer?"
      note={feedback ? `Said so far: ${percent(feedback.score, 0)}` : "Feedback counts into quality and teaches the router."}
    >
      <div class="stack tight">
        <TextField label="Comment" value={comment} onChange={setComment} placeholder="What was right or wrong" />
        <div class="row">
          {SCORES.map(([score, label]) => (
            <button
              key={label}
              type="button"
              class={`button ${feedback?.score === score ? "primary" : ""}`}
              onClick={() => give(score)}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
    </Card>
  );
};
