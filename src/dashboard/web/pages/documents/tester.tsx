/** Tries a question: which passages it finds, and which of them would be used. */

import { useState } from "preact/hooks";
import { call } from "../../api.ts";
import { milliseconds } from "../../format.ts";
import { NumberField, TextField } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import { Badge } from "../../parts/lamp.tsx";
import { Problem } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { hrefTo, queryOf, setQuery } from "../../router.ts";
import { apiPath } from "../../state.ts";
import { useLoad } from "../../use-load.ts";
import type { Passage } from "../../wire.ts";

type Found = { results: Passage[]; metadata: { latency_ms: number } };

/** Asks without a threshold, to show also the passages that would be left out. */
export const Tester = ({ collection }: { collection: string }) => {
  const [query, setQuery_] = useState(queryOf("q") ?? "");
  const [threshold, setThreshold] = useState<number | null>(0.3);
  const asked = queryOf("q");
  const { data, failure, loading } = useLoad(asked === null ? null : `${asked} ${collection}`, (signal) =>
    call<Found>(
      "POST",
      apiPath("/v1/documents/query"),
      { query: asked, top_k: 10, threshold: 0, ...(collection && { collection_id: collection }) },
      signal,
    ),
  );
  const line = threshold ?? 0;
  return (
    <Card
      title="Retrieval tester"
      note="What a question finds, best first. Passages below the threshold would not be used."
      busy={loading && data !== null}
    >
      <div class="stack">
        <Form class="row end tester" onSubmit={() => setQuery({ q: query.trim() })}>
          <TextField
            label="Question"
            type="search"
            value={query}
            onChange={setQuery_}
            placeholder="How much is paid back after a long delay?"
          />
          <NumberField label="Threshold" value={threshold} onChange={setThreshold} min={0} max={1} step={0.05} />
          <button type="submit" class="button primary" disabled={query.trim() === ""}>
            Find
          </button>
        </Form>
        {failure && <Problem failure={failure} />}
        <div role="status">
          {data && data.results.length === 0 && (
            <p class="muted">No passage at all. Is the document ready, and in this collection?</p>
          )}
          {data && data.results.length > 0 && (
            <p class="small muted">
              {data.results.filter(({ score }) => score >= line).length} of {data.results.length} passages pass the threshold of{" "}
              {line}, found in {milliseconds(data.metadata.latency_ms)}.
            </p>
          )}
        </div>
        {data && data.results.length > 0 && (
          <>
            <Passages passages={data.results} threshold={line} />
            <p class="small">
              <a href={hrefTo("playground", null, { prompt: asked ?? "" })}>Ask this in the playground</a>
            </p>
          </>
        )}
      </div>
    </Card>
  );
};

const Passages = ({ passages, threshold }: { passages: Passage[]; threshold: number }) => (
  <ol class="passages">
    {passages.map((passage) => (
      <li key={passage.chunk_id} class={passage.score >= threshold ? "" : "below"}>
        <div class="row">
          <strong>{passage.score.toFixed(2)}</strong>
          <span class="track" aria-hidden="true">
            <span class="fill" style={{ width: `${passage.score * 100}%` }} />
            <span class="threshold" style={{ left: `${threshold * 100}%` }} />
          </span>
          <span class="small muted wrap-anywhere">
            {passage.filename}
            {passage.page ? `, page ${passage.page}` : ""}, passage {passage.chunk_index + 1}
          </span>
          {passage.score < threshold && <Badge>below</Badge>}
        </div>
        <p class={`pre-wrap wrap-anywhere ${passage.score < threshold ? "clamp" : ""}`} dir="auto">
          {passage.content}
        </p>
      </li>
    ))}
  </ol>
);
