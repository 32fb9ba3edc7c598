/** Tries a moderation: what a text is flagged for, and how sure the model is of each kind. */

import { call } from "../../api.ts";
import { exactUsd, milliseconds, percent } from "../../format.ts";
import { AreaField } from "../../parts/controls.tsx";
import { FactList } from "../../parts/figures.tsx";
import { ActionForm } from "../../parts/form.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { MediaModelField, useMediaModels } from "../../parts/media-model-field.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath } from "../../state.ts";
import { useForm } from "../../use-form.ts";
import type { VerdictsAnswer } from "../../wire.ts";

type Order = { input: string; model: string };
const USUAL: Order = { input: "", model: "omni-moderation-latest" };

export const Moderation = () => {
  const media = useMediaModels("moderation");
  const judging = useForm(USUAL, (order) => call<VerdictsAnswer>("POST", apiPath("/v1/moderations"), order));
  const { busy, result, values, field } = judging;
  return (
    <div class="media">
      <Card title="May this be said?">
        <ActionForm of={judging} action="Check" doing="Reading…" disabled={values.input.trim() === ""}>
          <AreaField label="Text" {...field("input")} rows={5} placeholder="I will throw you under the train" />
          <MediaModelField of={media} {...field("model")} />
        </ActionForm>
      </Card>
      <Card live title="Verdict" busy={busy}>
        {result === null ? (
          <Empty title="The verdict appears here">
            <p>It only tells. What is done about such words in chats, a content policy says.</p>
          </Empty>
        ) : (
          <Verdict {...result} />
        )}
      </Card>
    </div>
  );
};

const Verdict = ({ results, svc }: VerdictsAnswer) => {
  const { flagged, categories, category_scores } = results[0]!;
  const ranked = Object.entries(category_scores).sort(([, a], [, b]) => b - a);
  return (
    <div class="stack">
      <Lamp tone={flagged ? "red" : "green"}>{flagged ? "flagged" : "not flagged"}</Lamp>
      <FactList
        facts={ranked.map(([name, score]) => {
          const share = percent(score, 0);
          return [name, categories[name] ? <Lamp tone="red">{share}</Lamp> : share] as const;
        })}
      />
      <p class="small muted">
        {svc.model_selected}, {exactUsd(svc.cost_usd)}, {milliseconds(svc.latency_ms)}
      </p>
    </div>
  );
};
