/** Projects and their tiers. Keys, documents, policies and logs belong to a project; its limits depend on its tier. */

import { bytes, DASH, day, short } from "../../format.ts";
import { Opens } from "../../parts/dialog.tsx";
import { Finder } from "../../parts/finder.tsx";
import { attempt } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { changeProject } from "../../refresh-projects.ts";
import { pageHref } from "../../router.ts";
import { mode, type Project, projects } from "../../state.ts";
import { CreateProject, DeleteProject, RenameProject, tierOptions } from "./project-dialogs.tsx";

export const ProjectSettings = () => (
  <Card
    flush
    title="Projects"
    note="A new tier holds from the next call on."
    actions={
      <Opens class="button primary" icon="plus" label="New project">
        {(close) => <CreateProject onClose={close} />}
      </Opens>
    }
  >
    <Finder
      entries={projects.value ?? []}
      textOf={({ name, id }) => `${name} ${id}`}
      placeholder="name or id"
      none="No project fits"
    >
      {(page) => <Table class="stacked" label="Projects" columns={COLUMNS} rows={page} keyOf={({ id }) => id} />}
    </Finder>
  </Card>
);

const COLUMNS: Column<Project>[] = [
  { head: "Name", class: "name", cell: ({ name }) => <a href={pageHref(name, mode.value, "overview")}>{name}</a> },
  { head: "Tier", cell: (project) => <TierChoice project={project} /> },
  {
    head: "Chat a minute",
    class: "number",
    cell: ({ tier_limits: { groups } }) => (groups.chat.per_minute === null ? "no limit" : short(groups.chat.per_minute)),
  },
  {
    head: "Documents",
    class: "number",
    cell: ({ tier_limits: { documents } }) => (documents ? `${short(documents.count)}, ${bytes(documents.bytes)}` : DASH),
  },
  { head: "Policies", class: "number", cell: ({ tier_limits: { max_policies } }) => (max_policies ? short(max_policies) : DASH) },
  { head: "Log kept", class: "number", cell: ({ tier_limits: { log_retention_days } }) => `${log_retention_days} days` },
  { head: "Created", class: "nowrap", cell: ({ created_at }) => day(created_at) },
  {
    head: "Actions",
    hidden: true,
    class: "right",
    cell: (project) => (
      <>
        <Opens class="button small" label="Rename" name={`Rename ${project.name}`}>
          {(close) => <RenameProject project={project} onClose={close} />}
        </Opens>{" "}
        {projects.value!.length > 1 && (
          <Opens class="button small danger" label="Delete" name={`Delete ${project.name}`}>
            {(close) => <DeleteProject project={project} onClose={close} />}
          </Opens>
        )}
      </>
    ),
  },
];

const TierChoice = ({ project }: { project: Project }) => (
  <select
    class="in-table"
    aria-label={`Tier of ${project.name}`}
    value={project.tier}
    onChange={async ({ currentTarget: select }) => {
      const tier = select.value;
      const went = await attempt(() => changeProject(project.id, { tier }), `${project.name} is on ${tier} now.`);
      if (!went) select.value = project.tier;
    }}
  >
    {tierOptions.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);
