/** One answer of the playground, with its routing decision, cost and time. */

import { DASH, exactUsd, milliseconds, number } from "../../format.ts";
import { ownAddress } from "../../own-address.ts";
import { CopyButton } from "../../parts/code.tsx";
import { Decision } from "../../parts/decision.tsx";
import { Dialog, Opens } from "../../parts/dialog.tsx";
import { FactList } from "../../parts/figures.tsx";
import { Badge, Lamp } from "../../parts/lamp.tsx";
import { Note, Problem } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { PolicyBadges, PolicyVerdict } from "../../parts/policy-verdict.tsx";
import { hrefTo } from "../../router.ts";
import type { Answer } from "../../stream-answer.ts";
import type { Svc } from "../../wire.ts";
import { ToolCalls } from "./tool-calls.tsx";

/** Each cited place once, with the best score of its passages. */
const placesOf = (citations: NonNullable<Svc["citations"]>): string[] => {
  const best = new Map<string, number>();
  for (const { index, filename, page, score } of citations) {
    const place = `[${index}] ${filename}${page ? `, p. ${page}` : ""}`;
    best.set(place, Math.max(score, best.get(place) ?? 0));
  }
  return [...best].map(([place, score]) => `${place} (${score.toFixed(2)})`);
};

const STATES = { running: "answering", done: "done", stopped: "stopped", failed: "failed" } as const;

export const AnswerPane = ({
  answer,
  asked,
  question,
  onGoOn,
  onReturn,
}: {
  answer: Answer | null;
  /** The model. */
  asked: string;
  question: string;
  onGoOn: (answer: Answer) => void;
  onReturn: (answer: Answer, results: string[]) => void;
}) => {
  if (answer === null) return <Card title={asked === "auto" ? "Choosing…" : asked}>&nbsp;</Card>;
  const { svc } = answer;
  // Like the cost, a total that includes discarded attempts and judges.
  const usage = svc?.total_usage ?? answer.usage;
  const running = answer.state === "running";
  const tone = answer.state === "done" ? "green" : answer.state === "failed" ? "red" : running ? "amber" : "off";
  const total = answer.endedMs === null ? null : answer.endedMs - answer.startedMs;
  return (
    <Card
      title={svc?.model_selected ?? answer.model ?? (asked !== "auto" ? asked : running ? "Choosing…" : "No answer")}
      actions={
        <>
          <Lamp tone={tone}>{STATES[answer.state]}</Lamp>
          {svc?.fallback_used && <Badge tone="amber">fell back</Badge>}
          {svc?.validation_passed === false && <Badge tone="amber">not valid</Badge>}
          {svc && <PolicyBadges policy={svc.policy_evaluation} content={svc.content_evaluation} />}
          {svc?.schema_validation && (
            <Badge tone={svc.schema_validation.passed ? "green" : "red"}>
              {svc.schema_validation.passed ? "fits the schema" : "does not fit"}
            </Badge>
          )}
        </>
      }
    >
      <div class="stack">
        <FactList
          facts={[
            ["First token", milliseconds(answer.firstMs === null ? null : answer.firstMs - answer.startedMs)],
            ["Total time", milliseconds(total)],
            ["Cost", exactUsd(svc?.cost_usd)],
            ["Tokens", usage ? `${number(usage.prompt_tokens)} in, ${number(usage.completion_tokens)} out` : DASH],
          ]}
        />
        {answer.thinking !== "" && (
          <details class="small">
            <summary>What it thought</summary>
            <div class="text-block" dir="auto">
              {answer.thinking}
            </div>
          </details>
        )}
        {(answer.text !== "" || (answer.failure === null && answer.toolCalls.length === 0)) && <AnswerText answer={answer} />}
        {answer.toolCalls.length > 0 && <ToolCalls key={answer.toolCalls[0]!.id} answer={answer} onReturn={onReturn} />}
        {svc?.cost_warning && <Note tone="amber">{svc.cost_warning.message}</Note>}
        {answer.failure && <Problem failure={answer.failure} />}
        {svc?.citations && svc.citations.length > 0 && (
          <p class="small muted">
            From: {placesOf(svc.citations).join("; ")}. <a href={hrefTo("documents", null, { q: question })}>See the passages</a>
          </p>
        )}
        {svc && (
          <div class="row">
            {answer.toolCalls.length === 0 && (
              <button
                type="button"
                class="button small primary"
                onClick={() => onGoOn(answer)}
                disabled={answer.state !== "done"}
              >
                Continue from here
              </button>
            )}
            <Why svc={svc} />
            <a class="button small" href={hrefTo("calls", svc.request_id)}>
              The call
            </a>
            <CopyButton text={answer.text} />
          </div>
        )}
      </div>
    </Card>
  );
};

const Why = ({ svc: { routing, model_selected: chosen, policy_evaluation, content_evaluation } }: { svc: Svc }) =>
  routing && (
    <Opens class="button small" label="Why this model">
      {(close) => (
        <Dialog wide title={`Why ${chosen}`} onClose={close}>
          <p>{routing.reason}</p>
          <Decision factors={routing} chosen={chosen} as="answered" />
          <PolicyVerdict policy={policy_evaluation} content={content_evaluation} />
        </Dialog>
      )}
    </Opens>
  );

const AnswerText = ({ answer }: { answer: Answer }) => {
  const { svc, text } = answer;
  const media = svc?.media;
  if (media?.type === "image" && media.url)
    return <img class="generated" src={ownAddress(media.url)} alt={`Generated by ${media.model}`} />;
  // biome-ignore lint/a11y/useMediaCaption: speech made from the text above; there is nothing else to caption
  if (media?.type === "speech" && media.url) return <audio controls src={ownAddress(media.url)} />;
  if (media?.type === "video")
    return (
      <p>
        A video is being made. <a href={hrefTo("media", "video")}>Follow it under Media</a>.
      </p>
    );
  return (
    <div
      class={`text-block answer ${answer.state === "running" ? "running" : ""}`}
      dir="auto"
      aria-live="polite"
      aria-busy={answer.state === "running"}
    >
      {text}
    </div>
  );
};
