/** Previews the decision before anything is sent: the model, the cost and the reason. */

import { call } from "../../api.ts";
import { milliseconds, percent, usd } from "../../format.ts";
import { messageText } from "../../message-text.ts";
import { Decision } from "../../parts/decision.tsx";
import { Dialog, Opens } from "../../parts/dialog.tsx";
import { FactList } from "../../parts/figures.tsx";
import { Badge } from "../../parts/lamp.tsx";
import { Note } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { apiPath } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import type { DecisionFactors, RouteAnswer } from "../../wire.ts";

const PREVIEW_AFTER_MS = 350;

/** The decision as of now; requested when typing pauses, free of charge. */
export const Preview = ({ body, idle }: { body: Record<string, unknown>; idle: boolean }) => {
  const messages = body["messages"] as { content: unknown }[];
  const empty = messageText(messages.at(-1)?.content).trim() === "";
  const { data: route, failure } = useLoad(
    empty || !idle ? null : JSON.stringify(body),
    (signal) => call<RouteAnswer>("POST", apiPath("/v1/route"), body, signal),
    PREVIEW_AFTER_MS,
  );
  return (
    <Card title="Would choose">
      <div class="preview">
        {empty && <p class="muted">The decision shows here while you type, before anything is sent.</p>}
        {!empty && failure && (
          <Note tone="red">
            <Prose text={failure.message} />
          </Note>
        )}
        {!empty && !failure && route && (
          <div class="stack tight">
            <div class="row">
              <strong class="choice">{route.media === "none" || !route.media ? route.model : `${route.media} generation`}</strong>
              <Badge tone="slate">{route.task_type}</Badge>
            </div>
            <FactList
              facts={[
                ["Expected cost", usd(route.estimated_cost_usd)],
                ["Expected time", milliseconds(route.estimated_latency_ms)],
                ["Complexity", route.complexity.toFixed(2)],
                ["Sure of the task", percent(route.confidence, 0)],
              ]}
            />
            <p class="small muted">{route.reason}</p>
            {route.cost_warning && (
              <p class="small">
                <Badge tone="amber">ceiling</Badge> {route.cost_warning.message}
              </p>
            )}
            {route.policy_evaluation?.modifications.map((change) => (
              <p class="small" key={change.to}>
                <Badge tone="amber">policy</Badge> {change.from} → {change.to}. {change.reason}
              </p>
            ))}
            {route.decision_factors?.candidates && route.decision_factors.candidates.length > 0 && (
              <Candidates factors={route.decision_factors} model={route.model} />
            )}
          </div>
        )}
      </div>
    </Card>
  );
};

const Candidates = ({ factors, model }: { factors: DecisionFactors; model: string | null }) => (
  <Opens class="button small" label="All candidates">
    {(close) => (
      <Dialog wide title="Candidates" onClose={close}>
        <Decision factors={factors} chosen={model} as="would answer" />
      </Dialog>
    )}
  </Opens>
);
