/** The log's filters. They are kept only in the URL: each field shows and sets one parameter. */

import { useState } from "preact/hooks";
import type { TaskType } from "../../../../catalog/task-type.ts";
import type { CallKind } from "../../../../logs/call.ts";
import { plain } from "../../format.ts";
import { NumberField, optionsOf, SelectField, TextField } from "../../parts/controls.tsx";
import { go, here, hrefTo, queryOf, setQuery } from "../../router.ts";
import { apiPath, mode } from "../../state.ts";
import { useKeys } from "../../use-keys.ts";
import { useGet } from "../../use-load.ts";
import type { MetricsOverview } from "../../wire.ts";
import { ForgetUser } from "./forget-user.tsx";

/** Filters that are shown only on request. */
const MORE = [
  "min_cost",
  "max_cost",
  "min_retry_count",
  "fallback_used",
  "cache_hit",
  "user_id",
  "session_id",
  "key_id",
  "sort_order",
];
const FILTERS = [
  "start_date",
  "end_date",
  "task_type",
  "kind",
  "model",
  "success_only",
  "failed_only",
  "search",
  "sort_by",
  ...MORE,
];
const TASKS: Record<TaskType, true> = {
  extraction: true,
  classification: true,
  summarization: true,
  reasoning: true,
  code: true,
  writing: true,
  vision: true,
  audio: true,
};
/** What has no task unless a chat asked for it. */
const MADE: Record<Exclude<CallKind, "chat">, true> = {
  image: true,
  video: true,
  speech: true,
  transcription: true,
  search: true,
  embedding: true,
  rerank: true,
  moderation: true,
};

/** The query to the log: the URL's own parameters. */
export const filterText = (): string => {
  const params = new URLSearchParams();
  for (const name of FILTERS) {
    const value = queryOf(name);
    if (value !== null) params.set(name, value);
  }
  return params.toString();
};

/** An answer's id is its call's id with another prefix (`chatcmpl-`, `msg_`, `resp_`). */
const ANY_ID = /^[a-z]+[-_]([0-9a-f]{32})$/;

const ANY = { value: "", label: "Any" };

/** Setting a filter returns to the first page. */
const set = (change: Record<string, string | null>) => setQuery({ ...change, offset: null });

const Day = ({ label, name }: { label: string; name: string }) => (
  <TextField label={label} type="date" value={queryOf(name)?.slice(0, 10) ?? ""} onChange={(value) => set({ [name]: value })} />
);

type SearchProps = { label: string; name: string; placeholder: string; list?: string[] };

const Search = ({ name, ...field }: SearchProps) => (
  <TextField {...field} type="search" value={queryOf(name) ?? ""} onChange={(value) => set({ [name]: value })} />
);

/** Suggests models that answered recently. */
const Model = () => {
  const { data } = useGet<MetricsOverview>(apiPath("/v1/metrics/overview?days=90"));
  return <Search label="Model" name="model" placeholder="Any" list={Object.keys(data?.models ?? {}).sort()} />;
};

/** Shows keys by name, because people do not know their ids. */
const Key = () => {
  const keys = (useKeys().data ?? []).filter((key) => key.mode === mode.value);
  return (
    <Choice
      label="Key"
      name="key_id"
      options={[
        ANY,
        ...keys.map((key) => ({ value: key.id, label: `${key.name} …${key.last_four}` })),
        { value: "dashboard", label: "this dashboard" },
      ]}
    />
  );
};

const Usd = ({ label, name }: { label: string; name: string }) => (
  <NumberField
    label={label}
    value={queryOf(name) === null ? null : Number(queryOf(name))}
    min={0}
    onChange={(value) => set({ [name]: value === null ? null : plain(value) })}
  />
);

/** The first option is the default without a parameter. */
const Choice = ({ label, name, options }: { label: string; name: string; options: { value: string; label: string }[] }) => {
  const usual = options[0]!.value;
  return (
    <SelectField
      label={label}
      value={queryOf(name) ?? usual}
      onChange={(value) => set({ [name]: value === usual ? null : value })}
      options={options}
    />
  );
};

/** Calls of one kind: the filter that shows only these, and what it is set to. */
type Kind = { value: string; label: string; filter: string; to: string };

const kindsBy = (filter: string, names: object): Kind[] =>
  Object.keys(names).map((name) => ({ value: name, label: name, filter, to: name }));

/** As the list shows them in one column. */
const TASKS_AND_KINDS = [...kindsBy("task_type", TASKS), ...kindsBy("kind", MADE)];
const OUTCOMES: Kind[] = [
  { value: "success", label: "Succeeded", filter: "success_only", to: "true" },
  { value: "failed", label: "Failed", filter: "failed_only", to: "true" },
];
const ATTEMPTS: Kind[] = [
  { value: "retry", label: "Retried", filter: "min_retry_count", to: "1" },
  { value: "fallback", label: "Fell back", filter: "fallback_used", to: "true" },
  { value: "none", label: "None: from the response cache", filter: "cache_hit", to: "true" },
];

const KindOf = ({ label, kinds }: { label: string; kinds: Kind[] }) => (
  <SelectField
    label={label}
    value={kinds.find(({ filter, to }) => queryOf(filter) === to)?.value ?? ""}
    onChange={(chosen) => set(setTo(kinds, chosen))}
    options={[ANY, ...kinds]}
  />
);

/** The chosen kind's filter, and none of the others'. */
const setTo = (kinds: Kind[], chosen: string): Record<string, string | null> => {
  const wanted = kinds.find(({ value }) => value === chosen);
  return { ...Object.fromEntries(kinds.map(({ filter }) => [filter, null])), ...(wanted && { [wanted.filter]: wanted.to }) };
};

export const Filters = () => {
  const [more, setMore] = useState(MORE.some((name) => queryOf(name) !== null));
  return (
    <>
      <div class="filters">
        <div class="wide">
          <Search label="Search" name="search" placeholder="a text of the prompt, answer or metadata" />
        </div>
        <Day label="From (UTC)" name="start_date" />
        <Day label="To (UTC)" name="end_date" />
        <KindOf label="Task" kinds={TASKS_AND_KINDS} />
        <Model />
        <KindOf label="Outcome" kinds={OUTCOMES} />
        <Choice
          label="Sort by"
          name="sort_by"
          options={optionsOf({ timestamp: "Time", cost: "Cost", latency: "Latency", tokens: "Tokens" })}
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
      {more && <MoreFilters />}
    </>
  );
};

const MoreFilters = () => {
  const user = queryOf("user_id");
  return (
    <div class="filters">
      <Usd label="At least (USD)" name="min_cost" />
      <Usd label="At most (USD)" name="max_cost" />
      <KindOf label="Attempts" kinds={ATTEMPTS} />
      <Search label="User" name="user_id" placeholder="user id" />
      <Search label="Session" name="session_id" placeholder="session id" />
      <Key />
      <Choice
        label="Order"
        name="sort_order"
        options={optionsOf(
          (queryOf("sort_by") ?? "timestamp") === "timestamp"
            ? { desc: "Newest first", asc: "Oldest first" }
            : { desc: "Highest first", asc: "Lowest first" },
        )}
      />
      <CallId />
      <div class="row filter-buttons">{user && <ForgetUser user={user} />}</div>
    </div>
  );
};

/** Not a filter: a complete id opens its call. */
const CallId = () => {
  const [wanted, setWanted] = useState("");
  return (
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
  );
};
