/** Tries a web search. It is answered as a caller's would be, and shows the engine, the time and the price. */

import { call } from "../../api.ts";
import { exactUsd, milliseconds } from "../../format.ts";
import { TextField } from "../../parts/controls.tsx";
import { Form } from "../../parts/form.tsx";
import { Problem } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { apiPath, mode } from "../../state.ts";
import { useForm } from "../../use-form.ts";
import type { WebSearchAnswer } from "../../wire.ts";

export const TrySearch = () => {
  const { busy, failure, field, result, submit, values } = useForm({ query: "" }, (body) =>
    call<WebSearchAnswer>("POST", apiPath("/v1/tools/search"), body),
  );
  return (
    <Card
      title="Try a web search"
      note={mode.value === "test" ? "The sandbox answers." : "It counts and costs like a caller's."}
      busy={busy && result !== null}
    >
      <div class="stack">
        <Form class="row end tester" onSubmit={submit}>
          <TextField label="Query" type="search" {...field("query")} placeholder="railway signalling today" />
          <button type="submit" class="button" disabled={busy || values.query.trim() === ""}>
            {busy ? "Searching…" : "Search"}
          </button>
        </Form>
        {failure && <Problem failure={failure} />}
        <div role="status">{result && <Summary {...result} />}</div>
        {result && <Found {...result} />}
      </div>
    </Card>
  );
};

const Summary = ({ results, metadata }: WebSearchAnswer) => (
  <p class="small muted">
    {results.length === 0 ? "Nothing found" : `${results.length} found`} by {metadata.provider} in{" "}
    {milliseconds(metadata.latency_ms)}, {exactUsd(metadata.cost_usd)}.
  </p>
);

const Found = ({ results }: WebSearchAnswer) => (
  <ol class="passages">
    {results.map(({ url, title, content, relevance_score: score }) => (
      <li key={url}>
        <div class="row">
          <strong>{score.toFixed(2)}</strong>
          {/* Engines return what sites wrote, so only web addresses become links. */}
          <a class="wrap-anywhere" {...(/^https?:/i.test(url) && { href: url })} target="_blank" rel="noreferrer">
            {title || url}
          </a>
        </div>
        <span class="small muted wrap-anywhere">{url}</span>
        <p class="clamp wrap-anywhere" dir="auto">
          {content}
        </p>
      </li>
    ))}
  </ol>
);
