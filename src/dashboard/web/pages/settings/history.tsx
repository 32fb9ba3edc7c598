/** Who changed what, newest first. The filters are in the URL. */

import type { HistoryAnswer, Kind, WireChange } from "../../../wire.ts";
import { ago, exactly, moment } from "../../format.ts";
import { optionsOf, SelectField } from "../../parts/controls.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { listOffset, PAGE_SIZE, Pager } from "../../parts/pager.tsx";
import { Pending } from "../../parts/pending.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { queryOf, setQuery } from "../../router.ts";
import { projects } from "../../state.ts";
import { useGet } from "../../use-load.ts";

const KINDS: Record<Kind, string> = {
  project: "Projects, budgets, limits",
  key: "API keys",
  policy: "Policies",
  schema: "Schemas",
  provider: "Providers",
  model: "Models",
  search: "Order of search engines",
  member: "Members",
  password: "Password",
  secret: "Secret",
  settings_file: "signalbox.yaml",
  backup: "Restores",
  document: "Documents deleted",
  call: "Texts of calls deleted",
  user: "Users forgotten",
  learning: "Learning reset",
};

export const HistorySettings = () => {
  const [project, kind] = [queryOf("project") ?? "", queryOf("kind") ?? ""];
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), offset: String(listOffset()), project, kind });
  const history = useGet<HistoryAnswer>(`/history?${query}`);
  const { data, loading } = history;
  return (
    <Card
      flush
      busy={loading && data !== null}
      title="History"
      note="Each change of settings, by people and by keys. Secrets and texts are not in it."
    >
      <div class="filters">
        <SelectField
          label="Project of the change"
          value={project}
          onChange={(value) => setQuery({ project: value, offset: null })}
          options={[{ value: "", label: "All" }, ...(projects.value ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        />
        <SelectField
          label="What was changed"
          value={kind}
          onChange={(value) => setQuery({ kind: value, offset: null })}
          options={[{ value: "", label: "Anything" }, ...optionsOf(KINDS)]}
        />
      </div>
      <Pending of={history} height={300} />
      {data?.total === 0 && <Empty title="No such change is known">{null}</Empty>}
      {data && data.changes.length > 0 && (
        <Table class="stacked" label="Changes" columns={COLUMNS} rows={data.changes} keyOf={({ id }) => String(id)} />
      )}
      {data && <Pager shown={data.changes.length} total={data.total} />}
    </Card>
  );
};

const COLUMNS: Column<WireChange>[] = [
  {
    head: "When (local)",
    class: "nowrap",
    cell: ({ timestamp }) => moment(timestamp),
    title: ({ timestamp }) => `${exactly(timestamp)}, ${ago(timestamp)}. UTC: ${timestamp}`,
  },
  { head: "Who", cell: (change) => <Who {...change} /> },
  { head: "What", class: "nowrap", cell: ({ action }) => action.replaceAll(/[._]/g, " ") },
  {
    head: "Of",
    class: "name",
    cell: ({ object_name, object_id }) => object_name ?? object_id,
    title: ({ object_id }) => object_id ?? undefined,
  },
  { head: "Project", cell: ({ project_name }) => project_name, title: ({ project_id }) => project_id ?? undefined },
  { head: "Fields", cell: (change) => <Fields {...change} /> },
];

const ACTORS: Record<WireChange["actor"], string> = {
  dashboard: "dashboard",
  admin_token: "admin token",
  key: "key",
  command_line: "command line",
  server: "the server itself",
};

const Who = ({ actor, member, key_name, ip }: WireChange) => (
  <>
    {member ?? (key_name === null ? ACTORS[actor] : `key ${key_name}`)}
    {ip && <div class="small muted">{ip}</div>}
  </>
);

/** What was made or deleted was nothing before or after, so one value tells all. */
const Fields = ({ action, changes }: WireChange) => (
  <>
    {Object.entries(changes).map(([name, { before, after }]) => (
      <div key={name} class="small wrap-anywhere">
        {name}: {/(created|invited|deleted)$/.test(action) ? inWords(after ?? before) : `${inWords(before)} → ${inWords(after)}`}
      </div>
    ))}
  </>
);

const inWords = (value: unknown): string => (value === null ? "none" : Array.isArray(value) ? value.join(", ") : String(value));
