/** Tries a ranking: texts in the order in which they answer a question. */

import { call } from "../../api.ts";
import { exactUsd, milliseconds } from "../../format.ts";
import { AreaField, TextField } from "../../parts/controls.tsx";
import { ActionForm } from "../../parts/form.tsx";
import { MediaModelField, useMediaModels } from "../../parts/media-model-field.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath } from "../../state.ts";
import { useForm } from "../../use-form.ts";
import type { RankingAnswer } from "../../wire.ts";

type Order = { query: string; documents: string; model: string };
const USUAL: Order = { query: "", documents: "", model: "rerank-local" };

const textsIn = (lines: string): string[] => lines.split("\n").filter((line) => line.trim() !== "");

export const Ranking = () => {
  const media = useMediaModels("rerank");
  const ranking = useForm(USUAL, ({ documents, ...order }) =>
    call<RankingAnswer>("POST", apiPath("/v1/rerank"), { ...order, documents: textsIn(documents), return_documents: true }),
  );
  const { busy, result, values, field } = ranking;
  return (
    <div class="media">
      <Card title="What answers best?">
        <ActionForm
          of={ranking}
          action="Rank"
          doing="Reading…"
          disabled={values.query.trim() === "" || textsIn(values.documents).length === 0}
        >
          <TextField label="Question" {...field("query")} placeholder="When is money paid back?" />
          <AreaField
            label="Texts"
            {...field("documents")}
            rows={6}
            placeholder={"A train may carry two cats.\nAfter an hour's delay a quarter is paid back."}
            hint="One a line."
          />
          <MediaModelField of={media} {...field("model")} />
        </ActionForm>
      </Card>
      <Card live title="Ranking" busy={busy}>
        {result === null ? (
          <Empty title="The best text stands first">
            <p>Rank what your own search finds before a model reads it.</p>
          </Empty>
        ) : (
          <Ranked {...result} />
        )}
      </Card>
    </div>
  );
};

const Ranked = ({ results, svc }: RankingAnswer) => (
  <div class="stack">
    <ol class="passages">
      {results.map(({ index, relevance_score: score, document }) => (
        <li key={index}>
          <strong>{score.toFixed(2)}</strong>
          <p class="wrap-anywhere" dir="auto">
            {document!.text}
          </p>
        </li>
      ))}
    </ol>
    <p class="small muted">
      {svc.model_selected}, {exactUsd(svc.cost_usd)}, {milliseconds(svc.latency_ms)}
    </p>
  </div>
);
