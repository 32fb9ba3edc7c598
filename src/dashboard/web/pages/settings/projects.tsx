/** Projects and their tiers. Keys, documents, policies and logs belong to a project; its limits depend on its tier. */

import { useState } from "preact/hooks";
import { bytes, DASH, day, short } from "../../format.ts";
import { Finder } from "../../parts/finder.tsx";
import { Icon } from "../../parts/icon.tsx";
import { attempt } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { changeProject } from "../../refresh-projects.ts";
import { pageHref } from "../../router.ts";
import { mode, type Project, projects } from "../../state.ts";
import { CreateProject, DeleteProject, RenameProject, tierOptions } from "./project-dialogs.tsx";

export const ProjectSettings = () => {
  const [creating, setCreating] = useState(false);
  const [renaming, setRenaming] = useState<Project | null>(null);
  const [deleting, setDeleting] = useState<Project | null>(null);
  return (
    <Card
      flush
      title="Projects"
      note="A new tier holds from the next call on."
      actions={
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon name="plus" /> New project
        </button>
      }
    >
      <Finder
        entries={projects.value ?? []}
        textOf={({ name, id }) => `${name} ${id}`}
        placeholder="name or id"
        none="No project fits"
      >
        {(page) => (
          <Table
            class="stacked"
            label="Projects"
            columns={columnsFor(setRenaming, setDeleting)}
            rows={page}
            keyOf={({ id }) => id}
          />
        )}
      </Finder>
      {creating && <CreateProject onClose={() => setCreating(false)} />}
      {renaming && <RenameProject project={renaming} onClose={() => setRenaming(null)} />}
      {deleting && <DeleteProject project={deleting} onClose={() => setDeleting(null)} />}
    </Card>
  );
};

type Act = (project: Project) => void;

const columnsFor = (onRename: Act, onDelete: Act): Column<Project>[] => [
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
        <button type="button" class="button small" onClick={() => onRename(project)} aria-label={`Rename ${project.name}`}>
          Rename
        </button>{" "}
        {projects.value!.length > 1 && (
          <button
            type="button"
            class="button small danger"
            onClick={() => onDelete(project)}
            aria-label={`Delete ${project.name}`}
          >
            Delete
          </button>
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
