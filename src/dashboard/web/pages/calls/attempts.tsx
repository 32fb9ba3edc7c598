/** The timeline of a call's attempts, and why another model than the first choice answered. */

import { exactUsd, milliseconds, number } from "../../format.ts";
import { Badge, Lamp } from "../../parts/lamp.tsx";
import { Note } from "../../parts/notice.tsx";
import { hrefTo } from "../../router.ts";
import type { Attempt, LogDetail } from "../../wire.ts";

/** In place of the timeline, where no model was asked. */
export const GivenAgain = ({ call_id, saved_usd }: NonNullable<LogDetail["execution"]["cache"]>) => (
  <p>
    No model was asked: the answer of <a href={hrefTo("calls", call_id)}>an earlier call</a>, which cost {exactUsd(saved_usd)},
    was given again.
  </p>
);

/** A diagram like a railway line: stations are attempts, and distances are times. */
export const Timeline = ({ attempts, firstChoice }: { attempts: Attempt[]; firstChoice: string | null }) => {
  if (attempts.length === 0) return <p class="muted">No provider was called.</p>;
  const all = Math.max(
    attempts.reduce((sum, { latency_ms }) => sum + latency_ms, 0),
    1,
  );
  let startMs = 0;
  return (
    <ol class="timeline">
      {attempts.map((each) => {
        const left = (startMs / all) * 100;
        startMs += each.latency_ms;
        const isFirstChoice = (firstChoice ?? each.model) === each.model;
        const why = each.purpose !== "first" ? each.purpose : isFirstChoice ? "first choice" : "stood in";
        return (
          <li key={each.attempt_number}>
            <div class="row">
              <Lamp tone={each.success ? "green" : "red"}>
                {each.attempt_number}. {each.model}
              </Lamp>
              <Badge tone={why === "first choice" ? "" : "amber"}>{why}</Badge>
              <span class="muted small">
                {each.provider} · {milliseconds(each.latency_ms)} · {exactUsd(each.cost_usd)}
                {each.input_tokens + each.output_tokens > 0 &&
                  ` · ${number(each.input_tokens)} in, ${number(each.output_tokens)} out`}
              </span>
            </div>
            <div class="track-line" aria-hidden="true">
              <span
                class={each.success ? "" : "failed"}
                style={{ left: `${left}%`, width: `max(3px, ${(each.latency_ms / all) * 100}%)` }}
              />
            </div>
            {each.failure && (
              <p class="small problem">
                {each.failure.replaceAll("_", " ")}
                {each.upstream_status ? ` (status ${each.upstream_status})` : ""}
                {each.failure_message ? `: ${each.failure_message}` : ""}
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
};

/** The call's other costs, which together with its attempts make up its total. */
export const AskedBesides = ({ input_tokens, output_tokens, cost_usd }: LogDetail["execution"]["side_calls"]) =>
  cost_usd > 0 || input_tokens + output_tokens > 0 ? (
    <p class="small muted">
      Other model calls (judges, summaries, documents): {exactUsd(cost_usd)} · {number(input_tokens)} in, {number(output_tokens)}{" "}
      out
    </p>
  ) : null;

/** Why another model than the first choice answered, which the router's reason cannot tell. */
export const StoodIn = ({ entry: { routing, execution } }: { entry: LogDetail }) => {
  const { first_choice: first, model_selected: answered } = routing;
  if (first === null || answered === null || first === answered || routing.decision_factors?.["explored"] === true) return null;
  const wasAsked = execution.attempts.some(({ model }) => model === first);
  return (
    <Note tone="amber">
      {first} was the first choice; {answered} stood in for it, because {first}{" "}
      {wasAsked ? "gave no good answer (see the attempts)" : "was resting after failures, or busy being tried again"}.
    </Note>
  );
};
