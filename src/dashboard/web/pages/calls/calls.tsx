/** Every call as it comes in. All filters of the log are in the URL, so that a view can be shared. */

import { useState } from "preact/hooks";
import { call, get } from "../../api.ts";
import { ago, exactly, milliseconds, moment, number, plural, short, usd } from "../../format.ts";
import { NumberField, SelectField, Switch, TextField } from "../../parts/controls.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Lamp } from "../../parts/lamp.tsx";
import { attempt, Empty, Problem, Skeleton, say } from "../../parts/notice.tsx";
import { Card, Page, Scroll } from "../../parts/page.tsx";
import { listOffset, PAGE_SIZE, Pager } from "../../parts/pager.tsx";
import { go, here, hrefTo, queryOf, setQuery } from "../../router.ts";
import { callsSeen, door, project } from "../../state.ts";
import { useEvery, useLoad } from "../../use-load.ts";
import type { LogEntry, LogPage } from "../../wire.ts";

const FILTERS = [
  "start_date",
  "end_date",
  "task_type",
  "model",
  "min_cost",
  "max_cost",
  "success_only",
  "failed_only",
  "user_id",
  "session_id",
  "key_id",
  "sort_by",
  "sort_order",
];
/** Those that are shown when asked for. */
const MORE = ["min_cost", "max_cost", "user_id", "session_id", "key_id", "sort_order"];
const TAIL_MS = 2_000;
const TASKS = ["extraction", "classification", "summarization", "reasoning", "code", "writing", "vision", "audio"];

/** What the log is asked for: the URL's own parameters. */
const filterText = (): string => {
  const params = new URLSearchParams();
  for (const name of FILTERS) {
    const value = queryOf(name);
    if (value !== null) params.set(name, value);
  }
  return params.toString();
};

export const Calls = () => {
  const filters = filterText();
  const offset = listOffset();
  const tail = queryOf("tail") === "true";
  const { data, failure, loading, reload } = useLoad(`calls ${filters} ${offset}`, (signal) =>
    get<LogPage>(door(`/v1/logs?limit=${PAGE_SIZE}&offset=${offset}&${filters}`), signal),
  );
  useEvery(tail ? TAIL_MS : null, reload);
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
        {failure && <Problem failure={failure} retry={reload} />}
        {data === null && !failure && <Skeleton height={460} />}
        {data?.total === 0 && <NoCalls filtered={filters !== ""} />}
        {data && data.logs.length > 0 && <Lines logs={data.logs} />}
        {data && <Pager shown={data.logs.length} total={data.total} />}
      </Card>
    </Page>
  );
};

/** Whatever an answer's id begins with (`chatcmpl-`, `msg_`, `resp_`), the rest is its call's. */
const ANY_ID = /^[a-z]+[-_]([0-9a-f]{32})$/;

const Filters = () => {
  const [more, setMore] = useState(MORE.some((name) => queryOf(name) !== null));
  const set = (change: Record<string, string | null>) => setQuery({ ...change, offset: null });
  const outcome = queryOf("failed_only") === "true" ? "failed" : queryOf("success_only") === "true" ? "success" : "";
  const numberOf = (name: string) => (queryOf(name) === null ? null : Number(queryOf(name)));
  const user = queryOf("user_id");
  const [wanted, setWanted] = useState("");
  return (
    <>
      <div class="filters">
        <TextField
          label="From (UTC)"
          type="date"
          value={queryOf("start_date")?.slice(0, 10) ?? ""}
          onChange={(value) => set({ start_date: value })}
        />
        <TextField
          label="To (UTC)"
          type="date"
          value={queryOf("end_date")?.slice(0, 10) ?? ""}
          onChange={(value) => set({ end_date: value })}
        />
        <SelectField
          label="Task"
          value={queryOf("task_type") ?? ""}
          onChange={(value) => set({ task_type: value })}
          options={[{ value: "", label: "Any" }, ...TASKS.map((task) => ({ value: task, label: task }))]}
        />
        <TextField
          label="Model"
          type="search"
          value={queryOf("model") ?? ""}
          onChange={(value) => set({ model: value })}
          placeholder="Any"
        />
        <SelectField
          label="Outcome"
          value={outcome}
          onChange={(value) =>
            set({ success_only: value === "success" ? "true" : null, failed_only: value === "failed" ? "true" : null })
          }
          options={[
            { value: "", label: "Any" },
            { value: "success", label: "Succeeded" },
            { value: "failed", label: "Failed" },
          ]}
        />
        <SelectField
          label="Sort by"
          value={queryOf("sort_by") ?? "timestamp"}
          onChange={(value) => set({ sort_by: value === "timestamp" ? null : value })}
          options={[
            { value: "timestamp", label: "Time" },
            { value: "cost", label: "Cost" },
            { value: "latency", label: "Latency" },
            { value: "tokens", label: "Tokens" },
          ]}
        />
        <div class="row filter-buttons">
          <button type="button" class="button quiet" aria-expanded={more} onClick={() => setMore(!more)}>
            {more ? "Fewer" : "More"} filters
          </button>
          {filterText() !== "" && (
            <button type="button" class="button quiet" onClick={() => go(here.value.pathname, { replace: true })}>
              Clear
            </button>
          )}
        </div>
      </div>
      {more && (
        <div class="filters">
          <NumberField
            label="At least (USD)"
            value={numberOf("min_cost")}
            min={0}
            onChange={(value) => set({ min_cost: value === null ? null : String(value) })}
          />
          <NumberField
            label="At most (USD)"
            value={numberOf("max_cost")}
            min={0}
            onChange={(value) => set({ max_cost: value === null ? null : String(value) })}
          />
          <TextField
            label="User"
            type="search"
            value={user ?? ""}
            onChange={(value) => set({ user_id: value })}
            placeholder="user id"
          />
          <TextField
            label="Session"
            type="search"
            value={queryOf("session_id") ?? ""}
            onChange={(value) => set({ session_id: value })}
            placeholder="session id"
          />
          <TextField
            label="Key"
            type="search"
            value={queryOf("key_id") ?? ""}
            onChange={(value) => set({ key_id: value })}
            placeholder="key_…"
          />
          <SelectField
            label="Order"
            value={queryOf("sort_order") ?? "desc"}
            onChange={(value) => set({ sort_order: value === "desc" ? null : value })}
            options={[
              { value: "desc", label: "Highest first" },
              { value: "asc", label: "Lowest first" },
            ]}
          />
          <TextField
            label="Call id"
            type="search"
            value={wanted}
            onChange={(text) => {
              setWanted(text);
              const id = ANY_ID.exec(text.trim())?.[1];
              if (id !== undefined) go(hrefTo("calls", `call_${id}`));
            }}
            placeholder="call_… opens it"
          />
          <div class="row filter-buttons">{user && <ForgetUser user={user} />}</div>
        </div>
      )}
    </>
  );
};

export const ForgetUser = ({ user }: { user: string }) => {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="button danger" onClick={() => setAsking(true)}>
        <Icon name="trash" /> Delete this user's data
      </button>
      {asking && (
        <Confirm
          title={`Delete everything of ${user}?`}
          action="Delete for good"
          onClose={() => setAsking(false)}
          onConfirm={() =>
            attempt(async () => {
              const { deleted } = await call<{ deleted: number }>("DELETE", door(`/v1/logs/user/${encodeURIComponent(user)}`));
              say(`${plural(deleted, "call")} of ${user} deleted.`);
              go(hrefTo("calls"));
            })
          }
        >
          Calls with prompts and answers, sessions and files that belong to this user in this project are deleted, live and test.
          Sums in the overview stay. This cannot be undone.
        </Confirm>
      )}
    </>
  );
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
          href={`/dashboard/api${door(`/v1/logs/export?format=${format}&${filters}`)}`}
        >
          <Icon name="download" /> {format.toUpperCase()}
        </a>
      ))}
    </div>
  );
};

const Lines = ({ logs }: { logs: LogEntry[] }) => (
  <Scroll label="Calls">
    <table class="calls">
      <thead>
        <tr>
          <th>When</th>
          <th>Prompt</th>
          <th>Task</th>
          <th>Model</th>
          <th class="number">Tokens</th>
          <th class="number">Cost</th>
          <th class="number">Latency</th>
          <th>Outcome</th>
        </tr>
      </thead>
      <tbody>
        {logs.map((entry) => (
          <Line key={entry.call_id} entry={entry} />
        ))}
      </tbody>
    </table>
  </Scroll>
);

const Line = ({ entry }: { entry: LogEntry }) => {
  const { execution, routing, classification } = entry;
  const href = hrefTo("calls", entry.call_id);
  return (
    <tr class="link" onClick={(event) => !(event.target as Element).closest("a") && go(href)}>
      <td class="nowrap" title={`${exactly(entry.timestamp)}, ${ago(entry.timestamp)}`}>
        {moment(entry.timestamp)}
      </td>
      <td class="prompt">
        <a class="row-link clip" href={href} dir="auto">
          {entry.prompt.text ?? `${number(entry.prompt.length)} characters, not stored`}
        </a>
      </td>
      <td>{classification.task_type ?? entry.metadata.kind}</td>
      <td class="nowrap">{routing.model_selected ?? "–"}</td>
      <td class="number">{short(execution.total_tokens)}</td>
      <td class="number">{usd(execution.cost_usd)}</td>
      <td class="number">{milliseconds(execution.latency_ms)}</td>
      <td>
        <Outcome entry={entry} />
      </td>
    </tr>
  );
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
