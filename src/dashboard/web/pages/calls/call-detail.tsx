/** One call: its prompt and answer, attempts, routing decision and checks. Texts are never rendered as HTML. */

import { useEffect } from "preact/hooks";
import { DASH, exactUsd, milliseconds, number, percent, plural } from "../../format.ts";
import { CopyButton } from "../../parts/code.tsx";
import { Decision } from "../../parts/decision.tsx";
import { Figure } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Note } from "../../parts/notice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { Pending } from "../../parts/pending.tsx";
import { PolicyVerdict } from "../../parts/policy-verdict.tsx";
import { go, hrefTo, pageHref, place } from "../../router.ts";
import { apiPath, callsSeen, mode, project } from "../../state.ts";
import { useGet } from "../../use-load.ts";
import type { LogDetail } from "../../wire.ts";
import { AskedBesides, GivenAgain, StoodIn, Timeline } from "./attempts.tsx";
import { Outcome } from "./calls.tsx";
import { Facts } from "./facts.tsx";
import { Answer, Conversation } from "./texts.tsx";
import { Checks, Feedback } from "./verdicts.tsx";

export const CallDetail = () => {
  const id = place.value.id!;
  const found = useGet<LogDetail>(apiPath(`/v1/logs/${encodeURIComponent(id)}?mode=all`));
  const { data, reload } = found;
  // An id alone does not tell live from test, so the page switches to the call's mode.
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
      <Pending of={found} height={560} />
      {data && <Detail entry={data} reload={reload} />}
    </Page>
  );
};

const wayBack = (): string => {
  const all = hrefTo("calls");
  return callsSeen.value.split("?")[0] === all ? callsSeen.value : all;
};

/** The conversation is too long for a URL, so it is handed over in the tab's storage. */
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
        <Figure name="Outcome" value={<Outcome entry={entry} />} note={`status ${execution.status}`} />
        <Figure name="Model" value={routing.model_selected ?? DASH} note={routing.provider ?? ""} />
        <Figure
          name="Cost"
          value={exactUsd(execution.cost_usd)}
          note={
            execution.total_tokens === 0
              ? "no tokens"
              : `${number(execution.total_tokens)} tokens${COUNTED[execution.usage_source] ?? ""}`
          }
        />
        <Figure
          name="Latency"
          value={milliseconds(execution.latency_ms)}
          note={`${milliseconds(execution.overhead_ms)} added here`}
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
          note={[
            `${number(entry.output.length)} characters`,
            ...(entry.output.images ? [plural(entry.output.images.length, "picture")] : []),
          ].join(", ")}
          actions={entry.output.text ? <CopyButton quiet text={entry.output.text} /> : undefined}
        >
          <Answer entry={entry} />
        </Card>
      </div>
      <Card title="Attempts" note="Each call to a provider, in time.">
        {execution.cache === null ? (
          <Timeline attempts={execution.attempts} firstChoice={routing.first_choice} />
        ) : (
          <GivenAgain {...execution.cache} />
        )}
        <AskedBesides {...execution.side_calls} />
      </Card>
      {routing.decision_factors?.candidates && (
        <Card title="Why this model" note={routing.routing_reason ?? routing.decision_factors.reason}>
          <div class="stack">
            <Decision
              factors={routing.decision_factors}
              chosen={routing.model_selected}
              as={execution.success ? "answered" : "chosen"}
            />
            <StoodIn entry={entry} />
          </div>
        </Card>
      )}
      <div class="columns pairs">
        <Checks entry={entry} />
        <PolicyVerdict policy={entry.policies.policy_evaluation} content={entry.policies.content_evaluation} />
        {execution.success && <Feedback entry={entry} reload={reload} />}
        <Facts entry={entry} />
      </div>
    </>
  );
};
