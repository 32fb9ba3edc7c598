/** The list of calls, with a live tail. All filters are in the URL, so that a view can be shared. */

import { API_ROOT } from "../../api.ts";
import { ago, DASH, exactly, milliseconds, moment, plural, short, usd } from "../../format.ts";
import { Switch } from "../../parts/controls.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { listOffset, PAGE_SIZE, Pager } from "../../parts/pager.tsx";
import { Pending } from "../../parts/pending.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { go, here, hrefTo, queryOf, setQuery } from "../../router.ts";
import { apiPath, callsSeen, project } from "../../state.ts";
import { useEvery, useGet } from "../../use-load.ts";
import type { LogEntry, LogPage } from "../../wire.ts";
import { Filters, filterText } from "./filters.tsx";

const TAIL_MS = 2_000;
/** A search reads thousands of calls. */
const SEARCH_TAIL_MS = 15_000;
/** Characters of a prompt to fetch: more than a line shows, but little, since the tail asks every two seconds. */
const LINE_CHARACTERS = 300;

export const Calls = () => {
  const filters = filterText();
  const offset = listOffset();
  const tail = queryOf("tail") === "true";
  const list = useGet<LogPage>(
    apiPath(`/v1/logs?limit=${PAGE_SIZE}&offset=${offset}&text_limit=${LINE_CHARACTERS}&total_cost=true&${filters}`),
  );
  const { data, loading, reload } = list;
  useEvery(tail ? (data?.search ? SEARCH_TAIL_MS : TAIL_MS) : null, reload);
  callsSeen.value = here.value.pathname + here.value.search;
  return (
    <Page
      title="Calls"
      lead="One line for every call that was served, or refused by a policy or ceiling."
      actions={
        <>
          <Switch label="Live tail" checked={tail} onChange={(on) => setQuery({ tail: on ? "true" : null, offset: null })} />
          <Export filters={filters} />
        </>
      }
    >
      <Card flush busy={loading && data !== null && !tail}>
        <Filters />
        <Pending of={list} height={460} />
        <div role="status">{data?.total === 0 && <NoCalls filtered={filters !== ""} />}</div>
        {data && data.logs.length > 0 && (
          <Table
            class="calls"
            label="Calls"
            columns={COLUMNS}
            rows={data.logs}
            keyOf={({ call_id }) => call_id}
            hrefOf={({ call_id }) => hrefTo("calls", call_id)}
          />
        )}
        {data?.search && data.search.searched < data.search.of && <SearchedInPart {...data.search} />}
        {data && <Pager shown={data.logs.length} total={data.total} sum={`${usd(data.total_cost_usd)} together${range()}`} />}
      </Card>
    </Page>
  );
};

const SearchedInPart = ({ searched, of }: { searched: number; of: number }) => (
  <p class="muted small">
    Searched the first {plural(searched, "call")} of {short(of)}, in the order shown. To search others, narrow the dates or the
    filters.
  </p>
);

/** Describes the default period of seven days, which the date fields do not show; empty if a start date is set. */
const range = (): string => {
  if (queryOf("start_date") !== null) return "";
  return queryOf("end_date") === null ? " in the last seven days" : " in the seven days before";
};

const Export = ({ filters }: { filters: string }) => {
  const formats = project.value!.tier_limits.log_exports;
  return (
    <div class="row export">
      {formats.map((format) => (
        <a
          key={format}
          class="button small"
          download
          aria-label={`Export as ${format.toUpperCase()}`}
          href={`${API_ROOT}${apiPath(`/v1/logs/export?format=${format}&bom=true&${filters}`)}`}
        >
          <Icon name="download" /> {format.toUpperCase()}
        </a>
      ))}
    </div>
  );
};

const COLUMNS: Column<LogEntry>[] = [
  {
    head: "When (local)",
    note: "Filters and the overview use UTC days",
    sort: "timestamp",
    class: "nowrap",
    cell: ({ timestamp }) => moment(timestamp),
    title: ({ timestamp }) => `${exactly(timestamp)}, ${ago(timestamp)}. UTC: ${timestamp}`,
  },
  {
    head: "Prompt",
    class: "prompt",
    cell: (entry) => (
      <a class="row-link clip" href={hrefTo("calls", entry.call_id)} dir="auto">
        {promptLine(entry.prompt)}
      </a>
    ),
  },
  { head: "Task", class: "aside", cell: ({ classification, metadata }) => classification.task_type ?? metadata.kind },
  { head: "Model", class: "nowrap", cell: ({ routing }) => routing.model_selected ?? DASH },
  { head: "Tokens", sort: "tokens", class: "number aside", cell: ({ execution }) => short(execution.total_tokens) },
  { head: "Cost", sort: "cost", class: "number", cell: ({ execution }) => usd(execution.cost_usd) },
  { head: "Latency", sort: "latency", class: "number", cell: ({ execution }) => milliseconds(execution.latency_ms) },
  { head: "Outcome", cell: (entry) => <Outcome entry={entry} /> },
];

const promptLine = ({ text, length }: LogEntry["prompt"]): string => {
  if (length === 0) return "no text";
  if (text === null) return `${plural(length, "character")}, not stored`;
  return text.trim() === "" ? `${plural(length, "character")}, blank` : text;
};

export const Outcome = ({ entry }: { entry: LogEntry }) => {
  const { execution, quality } = entry;
  if (!execution.success) return <Lamp tone="red">{execution.error_type?.replaceAll("_", " ") ?? execution.status}</Lamp>;
  if (quality.fallback_used) return <Lamp tone="amber">fell back</Lamp>;
  if (quality.validation_passed === false) return <Lamp tone="amber">not valid</Lamp>;
  if (quality.retry_count > 0) return <Lamp tone="amber">retried</Lamp>;
  return <Lamp tone="green">ok</Lamp>;
};

const NoCalls = ({ filtered }: { filtered: boolean }) =>
  filtered ? (
    <Empty title="No call fits these filters">
      <p>The log looks seven days back unless a date is set. Widen the dates or take a filter away.</p>
      <button type="button" class="button" onClick={() => go(here.value.pathname, { replace: true })}>
        Clear the filters
      </button>
    </Empty>
  ) : (
    <Empty title="No calls in the last seven days">
      <p>
        Each call appears here the moment it is answered: what was asked, who answered and why, what it cost. Older ones show with
        a date in “From”.
      </p>
      <a class="button primary" href={hrefTo("start")}>
        Make a call
      </a>
    </Empty>
  );
