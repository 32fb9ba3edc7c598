/** One call from end to end: what was asked and answered, the attempts in time, why this model, what was checked. Text stays text. */

import { useEffect, useState } from "preact/hooks";
import { call, get } from "../../api.ts";
import { DASH, milliseconds, number, percent, plural, usd } from "../../format.ts";
import { messageText } from "../../message-text.ts";
import { ownAddress } from "../../own-address.ts";
import { CodeBlock, CopyButton } from "../../parts/code.tsx";
import { TextField } from "../../parts/controls.tsx";
import { Decision, PolicyVerdict } from "../../parts/decision.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { attempt, Note, Problem, Skeleton } from "../../parts/notice.tsx";
import { Card, Figure, Page } from "../../parts/page.tsx";
import { go, hrefTo, pageHref, place } from "../../router.ts";
import { callsSeen, door, mode, project } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import type { LogDetail } from "../../wire.ts";
import { StoodIn, Timeline } from "./attempts.tsx";
import { Outcome } from "./calls.tsx";
import { Facts } from "./facts.tsx";

export const CallDetail = () => {
  const id = place.value.id!;
  const { data, failure, reload } = useLoad(id, (signal) =>
    get<LogDetail>(door(`/v1/logs/${encodeURIComponent(id)}?mode=all`), signal),
  );
  // An id from elsewhere does not say whether its call was live: the page turns to where it was.
  useEffect(() => {
    if (data && data.metadata.mode !== mode.value)
      go(pageHref(project.value!.name, data.metadata.mode, "calls", id), { replace: true });
  }, [data]);
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
          <a class="button" href={wayBack()}>
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

const wayBack = (): string => {
  const all = hrefTo("calls");
  return callsSeen.value.split("?")[0] === all ? callsSeen.value : all;
};

/** The conversation is too long for a URL: it waits in this tab. */
const replay = (entry: LogDetail): void => {
  const messages = entry.prompt.messages ?? [{ role: "user", content: entry.prompt.text ?? "" }];
  sessionStorage.setItem("signalbox-replay", JSON.stringify(messages));
  go(hrefTo("playground", null, { replay: entry.call_id }));
};

const COUNTED: Record<string, string> = { estimated: ", estimated", provider: ", the provider's count" };

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
          note={
            execution.total_tokens === 0
              ? "no tokens"
              : `${number(execution.total_tokens)} tokens${COUNTED[execution.usage_source] ?? ""}`
          }
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
        <Timeline attempts={execution.attempts} firstChoice={routing.first_choice} />
      </Card>
      {routing.decision_factors?.candidates && (
        <Card title="Why this model" note={routing.routing_reason ?? routing.decision_factors.reason}>
          <div class="stack">
            <Decision factors={routing.decision_factors} chosen={routing.model_selected} />
            <StoodIn entry={entry} />
          </div>
        </Card>
      )}
      <div class="columns pairs">
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
  if (messages === null || messages.length <= 1)
    return (
      <div class="text-block" dir="auto">
        {text}
      </div>
    );
  return (
    <div class="stack tight">
      {messages.map((message, at) => (
        <div key={at}>
          <div class="small muted">{message.role}</div>
          <div class="text-block" dir="auto">
            {messageText(message.content)}
          </div>
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
  if (entry.metadata.kind === "image" && entry.execution.success) return <Pictures links={text.split("\n")} />;
  return (
    <div class="text-block" dir="auto">
      {text}
    </div>
  );
};

/** The pictures while their links live; after that, that they were there. */
const Pictures = ({ links }: { links: string[] }) => {
  const [gone, setGone] = useState(false);
  if (gone) return <p class="muted">The pictures are deleted: they are kept for one hour.</p>;
  return (
    <div class="gallery">
      {links.map((link) => (
        <a key={link} href={ownAddress(link)} target="_blank" rel="noreferrer">
          <img class="generated" src={ownAddress(link)} alt="What was drawn" onError={() => setGone(true)} />
        </a>
      ))}
    </div>
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
