/** One call from end to end: what was asked and answered, the attempts in time, why this model, what was checked. Text stays text. */

import { useState } from "preact/hooks";
import { call, get } from "../api.ts";
import { DASH, exactly, milliseconds, number, percent, plural, usd } from "../format.ts";
import { textOf } from "../message-text.ts";
import { CodeBlock, CopyButton } from "../parts/code.tsx";
import { TextField } from "../parts/controls.tsx";
import { Decision, PolicyVerdict } from "../parts/decision.tsx";
import { Icon } from "../parts/icon.tsx";
import { Badge, Lamp } from "../parts/lamp.tsx";
import { attempt, Note, Problem, Skeleton } from "../parts/notice.tsx";
import { Card, Figure, Page } from "../parts/page.tsx";
import { go, hrefTo, place } from "../router.ts";
import { door, project } from "../state.ts";
import { useLoad } from "../use-load.ts";
import type { Attempt, LogDetail } from "../wire.ts";
import { ForgetUser, Outcome } from "./calls.tsx";

export const CallDetail = () => {
  const id = place.value.id!;
  const { data, failure, reload } = useLoad(id, (signal) => get<LogDetail>(door(`/v1/logs/${encodeURIComponent(id)}`), signal));
  return (
    <Page
      title="Call"
      lead={
        <>
          <span class="mono wrap-anywhere">{id}</span> <CopyButton quiet text={id} label="Copy id" />
        </>
      }
      actions={
        <>
          <a class="button" href={hrefTo("calls")}>
            <Icon name="left" /> All calls
          </a>
          {data?.metadata.kind === "chat" && (
            <button type="button" class="button primary" onClick={() => replay(data)}>
              <Icon name="playground" /> Replay in the playground
            </button>
          )}
        </>
      }
    >
      {failure && <Problem failure={failure} retry={reload} />}
      {data === null && !failure && <Skeleton height={560} />}
      {data && <Detail entry={data} reload={reload} />}
    </Page>
  );
};

/** The conversation is too long for a URL: it waits in this tab. */
const replay = (entry: LogDetail): void => {
  const messages = entry.prompt.messages ?? [{ role: "user", content: entry.prompt.text ?? "" }];
  sessionStorage.setItem("signalbox-replay", JSON.stringify(messages));
  go(hrefTo("playground", null, { replay: entry.call_id }));
};

const Detail = ({ entry, reload }: { entry: LogDetail; reload: () => void }) => {
  const { execution, routing, classification, quality } = entry;
  return (
    <>
      <div class="figures words">
        <div class="figure">
          <span class="name">Outcome</span>
          <span class="value lamp-value">
            <Outcome entry={entry} />
          </span>
          <span class="note">status {execution.status}</span>
        </div>
        <Figure name="Model" value={routing.model_selected ?? DASH} note={routing.provider ?? ""} />
        <Figure
          name="Cost"
          value={usd(execution.cost_usd)}
          note={`${number(execution.total_tokens)} tokens (${execution.usage_source})`}
        />
        <Figure
          name="Latency"
          value={milliseconds(execution.latency_ms)}
          note={`${milliseconds(execution.overhead_ms)} our own`}
        />
        <Figure
          name="Task"
          value={classification.task_type ?? entry.metadata.kind}
          note={
            classification.confidence === null
              ? ""
              : `${percent(classification.confidence, 0)} sure, complexity ${classification.complexity_score?.toFixed(2)}`
          }
        />
      </div>
      {execution.error_message && (
        <Note tone="red">
          <strong>{execution.error_type}</strong>
          <div>{execution.error_message}</div>
        </Note>
      )}
      {quality.cost_warning?.message && <Note tone="amber">{quality.cost_warning.message}</Note>}
      <div class="columns">
        <Card
          title="Prompt"
          note={[
            `${number(entry.prompt.length)} characters`,
            ...(entry.prompt.message_count > 0 ? [plural(entry.prompt.message_count, "message")] : []),
          ].join(", ")}
          actions={entry.prompt.text !== null && <CopyButton quiet text={entry.prompt.text} />}
        >
          <Conversation entry={entry} />
        </Card>
        <Card
          title="Answer"
          note={`${number(entry.output.length)} characters`}
          actions={entry.output.text ? <CopyButton quiet text={entry.output.text} /> : undefined}
        >
          <Answer entry={entry} />
        </Card>
      </div>
      <Card title="Attempts" note="Each call to a provider, in time.">
        <Timeline attempts={execution.attempts} />
      </Card>
      {routing.decision_factors?.candidates && (
        <Card title="Why this model" note={routing.routing_reason ?? routing.decision_factors.reason}>
          <Decision factors={routing.decision_factors} chosen={routing.model_selected} />
        </Card>
      )}
      <div class="columns">
        <Checks entry={entry} />
        <PolicyVerdict policy={entry.policies.policy_evaluation} content={entry.policies.content_evaluation} />
        <Feedback entry={entry} reload={reload} />
        <Facts entry={entry} />
      </div>
    </>
  );
};

const Conversation = ({ entry }: { entry: LogDetail }) => {
  const { messages, text } = entry.prompt;
  if (messages === null && text === null)
    return <p class="muted">This project keeps prompts out of the log (Settings), or a policy does.</p>;
  if (messages === null || messages.length <= 1) return <div class="text-block">{text}</div>;
  return (
    <div class="stack tight">
      {messages.map((message, at) => (
        <div key={at}>
          <div class="small muted">{message.role}</div>
          <div class="text-block">{textOf(message.content)}</div>
        </div>
      ))}
    </div>
  );
};

const Answer = ({ entry }: { entry: LogDetail }) => {
  const { text, parsed_json } = entry.output;
  if (parsed_json !== null && parsed_json !== undefined)
    return <CodeBlock wrap label="Answer as JSON" code={JSON.stringify(parsed_json, null, 2)} />;
  if (text === null) return <p class="muted">Not stored.</p>;
  if (text === "") return <p class="muted">There was no answer.</p>;
  return <div class="text-block">{text}</div>;
};

/** A track diagram: stations are attempts, their distance is time. */
const Timeline = ({ attempts }: { attempts: Attempt[] }) => {
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
        return (
          <li key={each.attempt_number}>
            <div class="timeline-head">
              <Lamp tone={each.success ? "green" : "red"}>
                {each.attempt_number}. {each.model}
              </Lamp>
              <Badge tone={each.purpose === "first" ? "" : "amber"}>
                {each.purpose === "first" ? "first choice" : each.purpose}
              </Badge>
              <span class="muted small">
                {each.provider} · {milliseconds(each.latency_ms)} · {usd(each.cost_usd)} · {number(each.input_tokens)} in,{" "}
                {number(each.output_tokens)} out
              </span>
            </div>
            <div class="track-line" aria-hidden="true">
              <span
                class={each.success ? "" : "failed"}
                style={{ left: `${left}%`, width: `max(3px, ${(each.latency_ms / all) * 100}%)` }}
              />
            </div>
            {each.failure && (
              <p class="small failure">
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

const CHECK_NAMES: Record<string, string> = {
  format_valid: "Has the form that was asked for",
  no_refusal: "Is no refusal",
  no_disclaimer: "Is more than a disclaimer",
  completeness: "Is complete",
};

const Checks = ({ entry }: { entry: LogDetail }) => (
  <Card title="Validation">
    {Object.values(entry.quality.validation_checks).every((passed) => passed === null) ? (
      <p class="muted">Nothing was checked: only the words of an answer are.</p>
    ) : (
      <CheckList entry={entry} />
    )}
  </Card>
);

const CheckList = ({ entry }: { entry: LogDetail }) => (
  <ul class="checklist">
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

const Feedback = ({ entry, reload }: { entry: LogDetail; reload: () => void }) => {
  const { feedback } = entry.quality;
  const [comment, setComment] = useState(feedback?.comment ?? "");
  const give = (score: number) =>
    attempt(async () => {
      await call("POST", door(`/v1/logs/${entry.call_id}/feedback`), { score, ...(comment && { comment }) });
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
          <button type="button" class={`button ${feedback?.score === 1 ? "primary" : ""}`} onClick={() => give(1)}>
            Good
          </button>
          <button type="button" class={`button ${feedback?.score === 0.5 ? "primary" : ""}`} onClick={() => give(0.5)}>
            So-so
          </button>
          <button type="button" class={`button ${feedback?.score === 0 ? "primary" : ""}`} onClick={() => give(0)}>
            Bad
          </button>
        </div>
      </div>
    </Card>
  );
};

const Facts = ({ entry }: { entry: LogDetail }) => {
  const { metadata, execution, shadow_call } = entry;
  const rows: [string, string | null][] = [
    ["Time", exactly(entry.timestamp)],
    ["Endpoint", metadata.endpoint + (execution.streamed ? " (streamed)" : "")],
    ["First token", execution.first_token_ms === null ? null : milliseconds(execution.first_token_ms)],
    ["Cached input", execution.cached_input_tokens > 0 ? `${number(execution.cached_input_tokens)} tokens` : null],
    ["Project", project.value!.name],
    ["User", metadata.user_id],
    ["Session", metadata.session_id],
    ["Address", metadata.request_ip],
    ["Client", metadata.user_agent],
    ...Object.entries(metadata.custom),
    ["Shadow call", shadow_call.executed ? `${shadow_call.shadow_model}: ${shadow_call.quality_comparison ?? "compared"}` : null],
  ];
  return (
    <Card title="Around it">
      <div class="stack">
        <dl class="facts small">
          {rows
            .filter(([, value]) => value !== null)
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        {metadata.user_id && (
          <div class="row">
            <a class="button small" href={hrefTo("calls", null, { user_id: metadata.user_id })}>
              Calls of this user
            </a>
            {metadata.session_id && (
              <a class="button small" href={hrefTo("sessions", metadata.session_id)}>
                The session
              </a>
            )}
            <ForgetUser user={metadata.user_id} />
          </div>
        )}
      </div>
    </Card>
  );
};
